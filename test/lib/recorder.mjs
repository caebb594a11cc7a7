// recorder.mjs TARGET LOG SCHEMA_DIRECTORY
//    Stands between sqlagent and the model server: passes every request on and
//    writes it to the log as it was sent, one JSON a line, with what the schema
//    of its provider finds wrong.  POST /_check/PROVIDER only checks a body.
import http from 'node:http';
import fs from 'node:fs';
import { validator } from './schemas.mjs';

const [target, log, schemas] = process.argv.slice(2);
const problems = validator(schemas);
const paths = [
	[/\/chat\/completions/, 'openai'],
	[/\/messages$/, 'anthropic'],
	[/\/api\/chat$/, 'ollama'],
	[/enerateContent/, 'gemini'],
];

const server = http.createServer((request, response) => {
	const chunks = [];
	request.on('data', (chunk) => chunks.push(chunk));
	request.on('end', () => {
		const body = Buffer.concat(chunks);
		const [, command, named] = request.url.split('/');
		if (command === '_check') {
			response.end(JSON.stringify(problems(named, body.toString('utf8'))));
			return;
		}
		const provider = paths.find(([path]) => path.test(request.url))?.[1];
		fs.appendFileSync(
			log,
			JSON.stringify({
				provider,
				path: request.url,
				headers: request.headers,
				body: JSON.parse(body.toString('utf8')),
				problems: problems(provider, body.toString('utf8')),
			}) + '\n',
		);
		const onward = http.request(
			target + request.url,
			{ method: request.method, headers: { ...request.headers, host: new URL(target).host } },
			(answer) => {
				response.writeHead(answer.statusCode, answer.headers);
				answer.pipe(response);
			},
		);
		onward.on('error', () => response.destroy());
		onward.end(body);
	});
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
