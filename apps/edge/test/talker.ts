import { stub } from './rig.ts';

const string = { type: 'string' };
const post = {
  properties: {
    bot_id: string,
    message: { properties: { content: { type: 'array', items: { properties: { content_type: string, media_type: string } } } } },
    settings: { type: 'object', additionalProperties: { properties: { max_tokens: {} } } },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = { properties: { ...post.properties, by_model: { additionalProperties: {} } } };
const paths = {
  '/talk': {
    post: { operationId: 'talk', security: [], requestBody: json(post), responses: { 200: json(answer) }, 'x-body-limit': 6 * 1024 * 1024 },
    get: {
      operationId: 'read',
      security: [],
      parameters: [{ name: 'next_token', in: 'query', schema: string }],
      responses: { 200: json({ properties: { url: {}, next_token: {} } }) },
    },
  },
  '/refuse': { post: { operationId: 'refuse', security: [], requestBody: json(post), responses: { 200: {} } } },
  '/stream': { get: { operationId: 'stream', security: [], responses: { 200: json(answer) } } },
  '/broken': { get: { operationId: 'broken', security: [], responses: { 200: json(answer) } } },
};

/** A service that echoes the request, refuses it, streams an answer, or closes the connection in the middle. */
export function talker() {
  const service = stub('bots', paths);
  // The request as the service sees it, as text, so that the edge cannot rename its fields.
  service.post('/talk', ({ body, headers }, reply) => reply.header('x-length', headers['content-length'] ?? 'chunked').send(body));
  service.get('/talk', ({ url }) => ({ url, next_token: 'n' }));
  service.post('/refuse', (_, reply) => {
    const problem = {
      code: 'invalid_body',
      detail: 'The field message.content[0].media_type is not right.',
      message: 'The field message.content[0].media_type is not right.',
      request_id: 'r',
      errors: [
        { path: 'message.content[0].media_type', message: 'is not right' },
        { path: 'colour_of', message: 'is not a known field' },
      ],
    };
    return reply.code(400).type('application/problem+json').send(JSON.stringify(problem));
  });
  service.get('/stream', (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.write('data: {"bot_id":1}\n\n');
  });
  service.get('/broken', (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'application/json' });
    reply.raw.write('{"bot_id":');
    setImmediate(() => reply.raw.destroy());
  });
  return service;
}
