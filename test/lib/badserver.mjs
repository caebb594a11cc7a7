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

// The four formats by their paths: what one says in a stream, event by event,
// and as a whole.  "call" is a piece of a tool call's arguments.
const formats = {
	openai: {
		text: (text) => [delta(text)],
		call: (index, id, json) =>
			[0, 1, 2].map((part) =>
				delta(undefined, {
					delta: {
						tool_calls: [part ? { index, function: { arguments: half(json, part) } } : { index, id, type: 'function', function: { name: 'run_sql', arguments: '' } }],
					},
				}),
			),
		begin: [],
		end: (reason = 'stop') => [{ ...finish, choices: [{ index: 0, delta: {}, finish_reason: reason }] }, '[DONE]'],
		calls: 'tool_calls',
		error: { error: { message: 'the model fell over', type: 'server_error' } },
		refusals: {
			refusal: [delta(undefined, { delta: { refusal: 'I will ' } }), delta(undefined, { delta: { refusal: 'not.' }, finish_reason: 'stop' })],
			filtered: [delta('How one'), { ...finish, choices: [{ index: 0, delta: {}, finish_reason: 'content_filter' }] }],
			silent: [{ ...finish, choices: [{ index: 0, delta: {}, finish_reason: 'content_filter' }] }],
		},
		whole: {
			refusal: completion({ content: null, refusal: 'I will not.' }),
			filtered: completion(0, { choices: [{ index: 0, message: { role: 'assistant', content: 'How one' }, finish_reason: 'content_filter' }] }),
			silent: completion(0, { choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' }] }),
		},
		usage: { choices: [], usage: { prompt_tokens: 100, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 64 }, completion_tokens_details: { reasoning_tokens: 20 } } },
	},
	anthropic: {
		text: (text) => [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }],
		call: (index, id, json) =>
			[0, 1, 2].map((part) =>
				part
					? { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: half(json, part) } }
					: { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: 'run_sql', input: {} } },
			),
		begin: [{ type: 'message_start', message: { id: 'x', type: 'message', role: 'assistant', model: 'bad-model', content: [], usage: { input_tokens: 11, output_tokens: 1 } } }],
		end: (reason = 'end_turn') => [{ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 3 } }, { type: 'message_stop' }],
		calls: 'tool_use',
		error: { type: 'error', error: { type: 'overloaded_error', message: 'the model fell over' } },
		refusals: {
			refusal: [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I will not.' } }, 'refusal'],
			filtered: [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'How one' } }, 'refusal'],
			silent: ['refusal'],
		},
		whole: {
			refusal: message([{ type: 'text', text: 'I will not.' }]),
			filtered: message([{ type: 'text', text: 'How one' }]),
			silent: message([]),
		},
		usage: { type: 'message_delta', delta: {}, usage: { input_tokens: 36, cache_read_input_tokens: 64, output_tokens: 30 } },
	},
	ollama: {
		text: (content) => [{ model: 'bad-model', message: { role: 'assistant', content }, done: false }],
		call: (index, id, json) => [{ model: 'bad-model', message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'run_sql', arguments: JSON.parse(json) } }] }, done: false }],
		begin: [],
		end: (reason = 'stop') => [{ model: 'bad-model', message: { role: 'assistant', content: '' }, done: true, done_reason: reason, prompt_eval_count: 11, eval_count: 3 }],
		error: { error: 'the model fell over' },
	},
	gemini: {
		text: (text) => [{ candidates: [{ content: { role: 'model', parts: [{ text }] } }], modelVersion: 'bad-model' }],
		call: (index, id, json) => [{ candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'run_sql', args: JSON.parse(json) } }] } }] }],
		begin: [],
		end: (reason = 'STOP') => [{ candidates: [{ content: { role: 'model', parts: [] }, finishReason: reason }], usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 3 } }],
		error: { error: { code: 503, message: 'the model fell over', status: 'UNAVAILABLE' } },
		refusals: {
			refusal: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
			filtered: [{ candidates: [{ content: { parts: [{ text: 'How one' }] } }] }, { candidates: [{ finishReason: 'SAFETY' }] }],
			silent: [{ candidates: [{ finishReason: 'SAFETY' }] }],
		},
		whole: {
			refusal: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
			filtered: { candidates: [{ content: { parts: [{ text: 'How one' }] }, finishReason: 'SAFETY' }] },
			silent: { candidates: [{ finishReason: 'SAFETY' }] },
		},
		usage: { usageMetadata: { promptTokenCount: 100, cachedContentTokenCount: 64, candidatesTokenCount: 10, thoughtsTokenCount: 20 } },
	},
};

function half(text, part) {
	const middle = text.length >> 1;
	return part === 1 ? text.slice(0, middle) : text.slice(middle);
}

function message(content) {
	return { id: 'x', type: 'message', role: 'assistant', model: 'bad-model', content, stop_reason: 'refusal', usage: { input_tokens: 11, output_tokens: 3 } };
}

const formatOf = (url) => (/generateContent/i.test(url) ? 'gemini' : /\/api\/chat/.test(url) ? 'ollama' : /\/messages/.test(url) ? 'anthropic' : 'openai');

// Events as the format of the request frames them; they are kept open to be
// followed by more.
function framed({ request, response }) {
	const lines = formatOf(request.url) === 'ollama';
	response.writeHead(200, { 'content-type': lines ? 'application/x-ndjson' : 'text/event-stream' });
	const frame = (event) => {
		const text = typeof event === 'string' ? event : JSON.stringify(event);
		return lines ? `${text}\n` : `data: ${text}\n\n`;
	};
	return { frame, write: (events) => response.write(events.map(frame).join('')) };
}

// A stream that begins well and goes on as told.
const hostile = (go) => (context) => {
	const format = formats[formatOf(context.request.url)];
	const out = framed(context);
	out.write([...format.begin, ...format.text('half of')]);
	go({ ...context, ...out, format });
};

const refused = (kind) => (context) => {
	const format = formats[formatOf(context.request.url)];
	if (!context.body.stream && !/stream/.test(context.request.url)) return json(context.response, format.whole[kind]);
	const events = format.refusals[kind].flatMap((event) => (event === 'refusal' ? format.end('refusal') : [event]));
	framed(context).write([...format.begin, ...events]);
	context.response.end();
};

Object.assign(behaviours, {
	format_malformed: hostile(({ write, response }) => {
		write(['{"broken": ']);
		response.end();
	}),
	format_endless: hostile(({ response, frame, format }) => pour(response, format.text('x').map(frame).join('').repeat(500))),
	format_endless_event: hostile(({ response, frame }) => {
		response.write(frame('x').slice(0, -1).trimEnd());
		pour(response, 'x'.repeat(65536));
	}),
	format_error: hostile(({ write, response, format }) => {
		write([format.error]);
		response.end();
	}),
	format_cut: hostile(({ response }) => response.end()),
	format_reset: hostile(({ socket }) => setTimeout(() => socket.resetAndDestroy(), 20)),
	format_drip: hostile(({ response, frame, format }) => pour(response, format.text('x').map(frame).join(''), 50)),
	format_drip_bytes: hostile(({ response }) => pour(response, ' ', 50)),
	format_ok: hostile(({ write, response, format }) => {
		write([...format.text(' it'), ...format.end()]);
		response.end();
	}),
	// what one call is told is mixed with what the other is
	format_calls: (context) => {
		const format = formats[formatOf(context.request.url)];
		const { write } = framed(context);
		if (/tool_result|functionResponse|"role": ?"tool"/.test(JSON.stringify(context.body))) write([...format.begin, ...format.text('seen'), ...format.end()]);
		else {
			const [one, two] = [41, 42].map((n, index) => format.call(index, `id_${n}`, JSON.stringify({ sql: `SELECT ${n} AS n` })));
			write([...format.begin, ...one.flatMap((event, index) => [event, two[index]]), ...format.end(format.calls)]);
		}
		context.response.end();
	},
	format_usage: (context) => {
		const format = formats[formatOf(context.request.url)];
		const [last, ...marks] = format.end();
		framed(context).write([...format.begin, ...format.text('counted'), last, format.usage, ...marks]);
		context.response.end();
	},
	format_refusal: refused('refusal'),
	format_filtered: refused('filtered'),
	format_silent: refused('silent'),
	// three seconds from now, as a date; a date has whole seconds
	then_date: failing(1, ({ response }) => json(response, { error: { message: 'slow down' } }, 429, { 'retry-after': new Date(Date.now() + 3000).toUTCString() })),
});

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
