// badserver.mjs [--tls CERTIFICATE KEY]
//    A model server with bad manners, for what aimock cannot do.  The first part
//    of the path names the behaviour: http://127.0.0.1:PORT/BEHAVIOUR/v1/...
//    Prints a line "request BEHAVIOUR" for each; GET /_last tells what the last
//    one held.
import http from 'node:http';
import https from 'node:https';
import fs from 'node:fs';
import zlib from 'node:zlib';

const counts = {};
let last = {};

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };

function completion(message, more = {}) {
	return {
		id: 'x',
		object: 'chat.completion',
		created: 1,
		model: 'bad-model',
		choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
		usage,
		...more,
	};
}

function call(sql, id = 'call_1') {
	return { id, type: 'function', function: { name: 'run_sql', arguments: typeof sql === 'string' ? sql : JSON.stringify(sql) } };
}

function json(response, value, status = 200, headers = {}) {
	const text = Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
	response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length, ...headers });
	response.end(text);
}

// The answer, or first a tool call with these arguments and then what came of it.
function afterCall(calls, text = (results) => `told: ${results.join(' | ')}`) {
	return ({ response, body }) => {
		const results = (body.messages ?? []).filter((m) => m.role === 'tool').map((m) => m.content);
		if (results.length) json(response, completion({ content: text(results) }));
		else json(response, completion({ content: null, tool_calls: calls }));
	};
}

function sse(response, events, { end = true, eol = '\n', done = true } = {}) {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	for (const event of events) response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}${eol}${eol}`);
	if (done) response.write(`data: [DONE]${eol}${eol}`);
	if (end) response.end();
}

const delta = (content, more = {}) => ({ id: 'x', model: 'bad-model', choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }] });
const finish = { id: 'x', model: 'bad-model', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

// Writes again and again until the other side has enough.
function pour(socket, chunk, ms = 0) {
	const go = () => {
		if (socket.destroyed || socket.writableEnded) return;
		if (ms) {
			socket.write(chunk);
			setTimeout(go, ms);
		} else if (socket.write(chunk)) setImmediate(go);
		else socket.once('drain', go);
	};
	go();
}

const bomb = zlib.gzipSync(Buffer.alloc(100 * 1024 * 1024, 0x20), { level: 1 });
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const status = (code, body, headers) => ({ response }) => json(response, body ?? { error: { message: `status ${code} for a reason`, type: 'test' } }, code, headers);
// Fails so often, then answers.
const failing = (times, fail) => (context) => (counts[context.name] <= times ? fail(context) : json(context.response, completion({ content: 'at last' })));

const behaviours = {
	ok: ({ response }) => json(response, completion({ content: 'fine' })),
	slow: ({ response }) => setTimeout(() => json(response, completion({ content: 'fine' })), 200),

	// time
	hang: () => {},
	hang_headers: ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-'),
	hang_body: ({ socket }) => socket.write(`${head}Content-Length: 1000\r\n\r\n{"choices":`),
	drip: ({ socket }) => {
		socket.write(`${head}Content-Length: 100000\r\n\r\n`);
		pour(socket, ' ', 50);
	},
	drip_headers: ({ socket }) => {
		socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
		pour(socket, 'x', 50);
	},

	// size
	endless: ({ socket }) => {
		socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
		pour(socket, `10000\r\n${' '.repeat(0x10000)}\r\n`);
	},
	promised: ({ socket }) => socket.write(`${head}Content-Length: 1000000000000\r\n\r\n{`),
	gzip_bomb: ({ response }) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': bomb.length });
		response.end(bomb);
	},
	header_flood: ({ socket }) => {
		socket.write('HTTP/1.1 200 OK\r\n');
		pour(socket, `X-Flood: ${'x'.repeat(1000)}\r\n`);
	},
	continue_flood: ({ socket }) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
	endless_stream: ({ response }) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		pour(response, `data: ${JSON.stringify(delta('x'))}\n\n`.repeat(500));
	},
	endless_event: ({ response }) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write('data: ');
		pour(response, 'x'.repeat(65536));
	},
	big_answer: ({ response }) => json(response, completion({ content: 'y'.repeat(10 * 1024 * 1024) })),
	many_calls: ({ response }) => json(response, completion({ content: null, tool_calls: Array.from({ length: 20000 }, () => call({ sql: 'SELECT 1' })) })),

	// tells what it was sent, streamed in pieces of three bytes
	echo: ({ request, response, body }) => {
		const told = JSON.stringify(request.headers);
		if (body.stream) sse(response, [...told.match(/.{1,3}/g).map((piece) => delta(piece)), finish]);
		else json(response, completion({ content: told }));
	},

	// what breaks off
	reset: ({ socket }) => socket.resetAndDestroy(),
	closed: ({ socket }) => socket.end(),
	reset_body: ({ socket }) => {
		socket.write(`${head}Content-Length: 1000\r\n\r\n{"choices":`);
		setTimeout(() => socket.resetAndDestroy(), 20);
	},
	short: ({ socket }) => socket.end(`${head}Content-Length: 1000\r\n\r\n${JSON.stringify(completion({ content: 'half' }))}`),
	cut_stream: ({ response }) => {
		sse(response, [delta('half of')], { done: false });
	},
	reset_stream: ({ response, socket }) => {
		sse(response, [delta('half of')], { done: false, end: false });
		setTimeout(() => socket.resetAndDestroy(), 20);
	},
	failed_stream: ({ response }) => sse(response, [delta('half of'), { error: { message: 'the model fell over', type: 'server_error' } }], { done: false }),

	// what is no reply
	empty: ({ response }) => json(response, ''),
	no_content: ({ response }) => {
		response.writeHead(204);
		response.end();
	},
	html: ({ response }) => {
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end('<html><body>Welcome to nginx!</body></html>');
	},
	not_http: ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
	malformed: ({ response }) => json(response, '{"choices": [{"message": {"content": "x"}}'),
	trailing: ({ response }) => json(response, `${JSON.stringify(completion({ content: 'x' }))} and more`),
	deep: ({ response }) => json(response, '['.repeat(100000) + ']'.repeat(100000)),
	not_utf8: ({ response }) => json(response, Buffer.concat([Buffer.from('{"choices":[{"message":{"content":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}}]}')])),
	nul: ({ response }) => json(response, Buffer.from('{"choices":[{"message":{"content":"a\0b"}}]}')),
	twice: ({ response }) => json(response, '{"choices":[{"message":{"content":"one"}}],"choices":[{"message":{"content":"two"}}]}'),
	no_choices: ({ response }) => json(response, { id: 'x', choices: [] }),
	wrong_types: ({ response }) => json(response, { choices: [{ message: { content: { a: 1 }, tool_calls: 'none' }, finish_reason: 7 }], usage: [] }),
	error_inside: ({ response }) => json(response, { error: { message: 'no credits left', code: 402 } }),

	// what is a strange reply
	plain_type: ({ response }) => {
		response.writeHead(200, { 'content-type': 'text/plain' });
		response.end(JSON.stringify(completion({ content: 'fine all the same' })));
	},
	surrogates: ({ response }) => json(response, '{"choices":[{"message":{"content":"a\\ud800b\\udc00\\ud800c\\u0000d"},"finish_reason":"stop"}]}'),
	numbers: ({ response }) =>
		json(response, '{"choices":[{"message":{"content":"counted"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1e400,"completion_tokens":-5,"total_tokens":99999999999999999999999999}}'),
	odd_usage: ({ response }) => json(response, completion({ content: 'counted' }, { usage: { prompt_tokens: '11', completion_tokens: null } })),
	parts: ({ response }) => json(response, completion({ content: [{ type: 'text', text: 'in ' }, { type: 'text', text: 'parts' }] })),
	refusal: ({ response }) => json(response, completion({ content: null, refusal: 'I will not.' })),
	filtered: ({ response }) => json(response, completion({ content: '' }, { choices: [{ message: { content: '' }, finish_reason: 'content_filter' }] })),
	control: ({ response }) => json(response, completion({ content: 'red\u001b[31m\u0007 and\u0008 bell\u007f' })),
	thoughts: ({ response }) => json(response, completion({ content: '<think>Hm, <b>let me see.</b></think>\n\nIt is five.' })),
	half_thoughts: ({ response }) => json(response, completion({ content: 'Hm, let me see.\n</think>It is five.' })),

	// tool calls
	twice_argument: afterCall([call('{"sql":"SELECT 1","s\\u0071l":"SELECT 2"}')]),
	nul_argument: afterCall([call('{"sql":"SELECT 1\\u0000; DROP TABLE employees"}')]),
	object_argument: afterCall([{ id: 'call_1', type: 'function', function: { name: 'run_sql', arguments: { sql: 'SELECT 42 AS n' } } }]),
	no_ids: afterCall([
		{ type: 'function', function: { name: 'run_sql', arguments: '{"sql":"SELECT 41 AS n"}' } },
		{ type: 'function', function: { name: 'run_sql', arguments: '{"sql":"SELECT 42 AS n"}' } },
	]),
	same_ids: afterCall([call({ sql: 'SELECT 41 AS n' }), call({ sql: 'SELECT 42 AS n' })]),
	// one statement, and then nothing
	call_then_hang: ({ response, body }) => {
		if (!body.messages.some((m) => m.role === 'tool')) json(response, completion({ content: null, tool_calls: [call({ sql: 'SELECT 42 AS n' })] }));
	},
	long_statement: afterCall([call({ sql: 'SELECT count(*) FROM generate_series(1, 100000000000) g' })]),
	// statements as long as there are tools, with and without a bill
	always_call: ({ response, body }) =>
		json(
			response,
			completion(body.tools ? { content: null, tool_calls: [call({ sql: 'SELECT 42 AS n' })] } : { content: 'That is all.' }, {
				usage: { prompt_tokens: Math.ceil(JSON.stringify(body).length / 4), completion_tokens: 10 },
			}),
		),
	dear_call: ({ response, body }) =>
		json(response, completion({ content: null, tool_calls: [call({ sql: 'SELECT 42 AS n' })] }, { usage: { prompt_tokens: 60000, completion_tokens: 10 } })),
	long_name: afterCall([{ id: 'call_1', type: 'function', function: { name: 'n'.repeat(1024 * 1024), arguments: '{}' } }]),
	as_text: ({ response, body }) => {
		const told = body.messages.filter((m) => m.role === 'tool');
		json(
			response,
			completion({
				content: told.length
					? told[0].content
					: '<think>I need the tool.</think>\n<tool_call>\n{"name": "run_sql", "arguments": {"sql": "SELECT 42 AS n"}}\n</tool_call>',
			}),
		);
	},
	as_fence: ({ response, body }) => {
		const told = body.messages.filter((m) => m.role === 'tool');
		json(response, completion({ content: told.length ? told[0].content : '```json\n{"name": "run_sql", "parameters": {"sql": "SELECT 42 AS n"}}\n```' }));
	},
	as_function: ({ response, body }) => {
		const told = body.messages.filter((m) => m.role === 'tool');
		json(response, completion({ content: told.length ? told[0].content : 'Let me see. <tool_call><function=run_sql><parameter=sql>\nSELECT 42 AS n\n</parameter></function></tool_call>' }));
	},

	// streams, strange and complete
	stream_crlf: ({ response }) => {
		response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
		const text = Buffer.from(
			`: hello\r\n\r\nevent: message\r\nid: 1\r\ndata: ${JSON.stringify(delta('gr\u00fc\u20ac'))}\r\n\r\n` +
				`data:${JSON.stringify(delta('n\u{1f600}'))}\r\n\r\ndata: ${JSON.stringify(finish)}\r\n\r\ndata: [DONE]`,
		);
		let at = 0;
		const go = () => {
			if (at >= text.length) return response.end();
			response.write(text.subarray(at, (at += 3)));
			setImmediate(go);
		};
		go();
	},
	stream_calls: ({ response, body }) => {
		if (body.messages.some((m) => m.role === 'tool')) return sse(response, [delta('seen'), finish]);
		const piece = (index, more) => delta(undefined, { delta: { tool_calls: [{ index, ...more }] } });
		sse(response, [
			piece(0, { id: 'a', type: 'function', function: { name: 'run_sql', arguments: '' } }),
			piece(0, { function: { arguments: '{"sql": "SELECT ' } }),
			piece(1, { id: 'b', type: 'function', function: { name: 'run_sql', arguments: '{"sql": ' } }),
			piece(0, { function: { arguments: '41 AS n"}' } }),
			piece(1, { function: { arguments: '"SELECT 42 AS n"}' } }),
			{ ...finish, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
		]);
	},
	stream_same_index: ({ response, body }) => {
		if (body.messages.some((m) => m.role === 'tool')) return sse(response, [delta('seen'), finish]);
		const piece = (id, sql) => delta(undefined, { delta: { tool_calls: [{ index: 0, ...call({ sql }, id) }] } });
		sse(response, [piece('a', 'SELECT 41 AS n'), piece('b', 'SELECT 42 AS n'), finish]);
	},
	stream_refused: ({ response }) => json(response, completion({ content: 'not streamed' })),

	// statuses
	status_400: status(400),
	status_401: ({ request, response }) => json(response, { error: { message: `bad key ${request.headers.authorization}` } }, 401),
	status_403: status(403),
	status_404: status(404),
	status_422: status(422, { detail: [{ loc: ['body'], msg: 'field required' }] }),
	status_429_long: status(429, undefined, { 'retry-after': '3600' }),
	status_429_quota: status(429, { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } }),
	status_500: status(500),
	status_500_html: ({ response }) => {
		response.writeHead(500, { 'content-type': 'text/html' });
		response.end('<h1>Internal Server Error</h1>');
	},
	status_503: status(503),
	redirect_302: ({ response }) => json(response, '', 302, { location: '/ok/v1/chat/completions' }),
	redirect_307: ({ response }) => json(response, '', 307, { location: '/ok/v1/chat/completions' }),
	redirect_file: ({ response }) => json(response, '', 302, { location: 'file:///etc/passwd' }),
	long_message: status(400, { error: { message: 'z'.repeat(100000) } }),

	// twice wrong, then right
	then_429: failing(2, ({ response }) => json(response, { error: { message: 'slow down' } }, 429, { 'retry-after': '1' })),
	then_408: failing(2, status(408)),
	then_409: failing(2, status(409)),
	then_500: failing(2, status(500)),
	then_reset: failing(2, ({ socket }) => socket.resetAndDestroy()),
	then_half: failing(2, ({ socket }) => socket.end(`${head}Content-Length: 1000\r\n\r\n{`)),
	then_malformed: failing(2, ({ response }) => json(response, '{"choices": [')),
};

function serve(request, response) {
	const [, name] = request.url.split('/');
	if (name === '_last') return json(response, last);
	counts[name] = (counts[name] ?? 0) + 1;
	console.log(`request ${name}`);
	const chunks = [];
	request.on('data', (chunk) => chunks.push(chunk));
	request.on('end', () => {
		const text = Buffer.concat(chunks).toString('utf8');
		last = { url: request.url, headers: request.headers, text };
		let body = {};
		try {
			body = JSON.parse(text);
		} catch {}
		const socket = request.socket;
		socket.on('error', () => {});
		(behaviours[name] ?? status(404))({ name, request, response, socket, body });
	});
}

const [tls, certificate, key] = process.argv.slice(2);
const server =
	tls === '--tls'
		? https.createServer({ cert: fs.readFileSync(certificate), key: fs.readFileSync(key) }, serve)
		: http.createServer(serve);
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
