// schemas.mjs DIRECTORY
//    Makes JSON Schemas of the types in requests.ts, and validators of them.  It
//    takes some seconds, so they are kept in the directory for further calls.
//    As a program it only makes them.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createFormatter, createParser, createProgram, SchemaGenerator } from 'ts-json-schema-generator';

const require = createRequire(import.meta.url);
const Ajv = require('ajv').default;
const here = path.dirname(fileURLToPath(import.meta.url));

export const providers = ['openai', 'anthropic', 'ollama', 'gemini'];

// What the types leave out: thoughts, which servers that are compatible with
// OpenAI's want back; and of the JSON Schema that Ollama takes for a tool all but
// what its templates look at.
function addExtensions(schemas) {
	const assistant = schemas.openai.definitions.ChatCompletionAssistantMessageParam.properties;
	assistant.reasoning_content = { type: 'string' };
	assistant.reasoning_details = { type: 'array' };
	const tool = schemas.ollama.definitions.ollama.properties.tools.items.properties.function.properties;
	tool.parameters.additionalProperties = true;
}

function make() {
	const config = {
		path: `${here}/requests.ts`,
		tsconfig: `${here}/tsconfig.json`,
		skipTypeCheck: true,
		additionalProperties: false,
		topRef: true,
	};
	const program = createProgram(config);
	const generator = new SchemaGenerator(program, createParser(program, config), createFormatter(config), config);
	const schemas = Object.fromEntries(providers.map((name) => [name, generator.createSchema(name)]));
	addExtensions(schemas);
	return schemas;
}

function load(directory) {
	const file = `${directory}/request-schemas.json`;
	if (!fs.existsSync(file)) {
		fs.mkdirSync(directory, { recursive: true });
		fs.writeFileSync(`${file}.${process.pid}`, JSON.stringify(make()));
		fs.renameSync(`${file}.${process.pid}`, file);
	}
	return JSON.parse(fs.readFileSync(file, 'utf8'));
}

// A function of provider and body (text) that gives what is wrong, as an array.
export function validator(directory) {
	const ajv = new Ajv({ allErrors: true, strict: false });
	const compiled = Object.fromEntries(Object.entries(load(directory)).map(([name, schema]) => [name, ajv.compile(schema)]));
	return (provider, body) => {
		if (!compiled[provider]) return ['no provider has this path'];
		try {
			return compiled[provider](JSON.parse(body))
				? []
				: compiled[provider].errors.map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
		} catch (error) {
			return [String(error)];
		}
	};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) load(process.argv[2]);
