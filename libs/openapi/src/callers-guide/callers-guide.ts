import type { JsonSchema } from '../json-schema.ts';
import type { OpenApiDocument } from '../service-document.ts';
import { type Block, code, heading, table, text } from './blocks.ts';
import { refusalRows } from './refusals.ts';
import { client, curl, curlStream, javascript, openAiJavascript, openAiPython, python, type Snippet } from './snippets.ts';

/** The document of one published bot, whose paths are below its endpoint. */
export type PublishedDocument = Pick<OpenApiDocument, 'paths' | 'components'>;

const CHAT_COMPLETIONS = '/v1/chat/completions';

/** The programs that the guide shows, for the paths that the document has. */
export function snippetsOf(document: PublishedDocument, endpoint: string): readonly Snippet[] {
  const forOpenAi = CHAT_COMPLETIONS in document.paths ? [openAiPython, openAiJavascript] : [];
  return [curl, curlStream, javascript, client, python, ...forOpenAi].map((make) => make(endpoint));
}

/** How to call a published bot, for readers who have its endpoint and a key. */
export function callersGuide(document: PublishedDocument, endpoint: string): readonly Block[] {
  return [
    heading(1, 'Call a published bot'),
    text(`The endpoint is \`${endpoint}\`. Each request needs an API key in the header \`x-api-key\`. The owner of the bot makes keys.`),
    text('Keep the key secret. The programs below read it from the variable `PARLANCE_API_KEY`.'),
    heading(2, 'Send a message and get the reply'),
    text(
      'A message is accepted with 202 and the IDs of its conversation and of its reply. The reply is written afterwards. Poll it, stream it, or add the header `Prefer: wait=20` to get it in the answer if it is complete by then. To continue a conversation, send its `conversation_id`.',
    ),
    ...snippetsOf(document, endpoint).flatMap(({ title, language, code: its }) => [heading(3, title), code(language, its)]),
    text(
      '`@parlance/client` is the client of Parlance for Node and browsers, without dependencies. Ask the operator of Parlance for its file, and install that with `npm install`.',
    ),
    ...polling(),
    ...streaming(),
    ...limits(),
    ...errors(document),
    ...('/mcp' in document.paths ? forAgents(endpoint) : []),
    heading(2, 'All requests'),
    table(['Request', 'What it does', 'Body'], requestRows(document)),
    text('`GET /openapi.json` has the schemas of all bodies and answers. It needs no key.'),
  ];
}

function polling(): readonly Block[] {
  return [
    heading(2, 'Poll with growing pauses'),
    text(
      'A reply that is being written is answered with 202, `{"status": "processing"}` and `Retry-After`. Wait at least as long, and double the pause up to a few seconds. With 200 the `status` is `completed`, or `failed` with an `error`. Polls count for the throttle, and not for the quota.',
    ),
    text(
      'Send each message with an `Idempotency-Key` of its own. If no answer arrives, send the same request with the same key again: the message is accepted once and uses the quota once.',
    ),
  ];
}

function streaming(): readonly Block[] {
  return [
    heading(2, 'Stream the reply'),
    text('With `Accept: text/event-stream` the answer is a stream of server-sent events. Each has an `id`.'),
    table(
      ['Event', 'Data'],
      [
        ['`start`', '`conversation_id`, `message_id`. It comes once.'],
        [
          '`restarted`',
          '`message_id`. The process that wrote the reply was lost. Discard what you have of the reply: it follows from its beginning.',
        ],
        ['`reasoning`, `delta`', '`text`: the next piece.'],
        ['`tool`', '`name`, `input`, `status` of a call of a tool.'],
        ['`citation`', 'a chunk of knowledge that the text refers to.'],
        ['`done`', '`message_id`, `stop_reason`, `usage`, `cost`. The reply is stored.'],
        ['`error`', '`code`, `message`. The reply has failed.'],
      ],
    ),
    text(
      'If a stream ends without `done` or `error`, continue with `GET /conversation/{conversation_id}/{message_id}/stream` and the `id` of the last event in `Last-Event-ID`. `@parlance/client` does that by itself.',
    ),
  ];
}

function limits(): readonly Block[] {
  return [
    heading(2, 'Limits'),
    text(
      'The throttle limits the requests of a key per second and at once. The quota limits the messages of a key in a day, a week from Monday, or a month, in UTC. A refused request uses no quota.',
    ),
    table(
      ['Header', 'Meaning'],
      [
        ['`X-RateLimit-Limit`', 'the quota of the period; without a quota the size of the throttle'],
        ['`X-RateLimit-Remaining`', 'what is left of it'],
        ['`X-RateLimit-Reset`', 'when it is full again, in epoch seconds'],
        ['`Retry-After`', 'of 429 and 503: the seconds to wait'],
      ],
    ),
    text(
      'In a browser, only the origins that the owner of the bot allows can read the answers. Do not give your key to the users of a web page.',
    ),
  ];
}

function errors(document: PublishedDocument): readonly Block[] {
  return [
    heading(2, 'Errors'),
    text(
      'An error is a problem of RFC 9457: `status`, a stable `code`, a `detail` for people, `errors` by field with 400, and a `request_id` for support. Paths below `/v1/` have the form of OpenAI: `{"error": {"message", "type", "code", "param"}}`. Repeat a request after 429 and 503; after another 4xx correct it first.',
    ),
    table(['Status', 'Code', 'What to do'], refusalRows(document)),
  ];
}

function forAgents(endpoint: string): readonly Block[] {
  return [
    heading(2, 'Model Context Protocol'),
    text(
      `Agents use the bot as an MCP server: streamable HTTP at \`${endpoint}/mcp\`, with the key in the header \`x-api-key\`. Calls of its tools count towards the quota, other requests only towards the throttle.`,
    ),
  ];
}

function requestRows({ paths, components }: PublishedDocument): readonly (readonly string[])[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `\`${method.toUpperCase()} ${path}\``,
      String(operation['summary'] ?? ''),
      fieldsOf(operation['requestBody'], components.schemas),
    ]),
  );
}

/** The names of the fields of a body; required ones are marked. */
function fieldsOf(body: unknown, schemas: Readonly<Record<string, JsonSchema>>): string {
  const { content = {} } = (body ?? {}) as { content?: Record<string, { schema?: JsonSchema }> };
  const [media] = Object.values(content);
  const reference = media?.schema?.['$ref'];
  const schema = typeof reference === 'string' ? schemas[reference.replace('#/components/schemas/', '')] : media?.schema;
  const required = (schema?.['required'] ?? []) as readonly string[];
  const names = Object.keys((schema?.['properties'] ?? {}) as object);
  return names.map((name) => `\`${name}\`${required.includes(name) ? ' (required)' : ''}`).join(', ');
}
