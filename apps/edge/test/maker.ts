import { once } from 'node:events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { statementIn, stub } from './rig.ts';

const bearer = [{ bearer: [] }];
const body = { content: { 'application/json': { schema: { properties: { bot_title: {} } } } } };
const answer = {
  content: { 'application/json': { schema: { properties: { id: {}, made_for: {}, key_value: { 'x-secret': true } } } } },
};
const creating = { requestBody: body, responses: { 201: answer } };
const paths = {
  '/bot': { post: { operationId: 'create', security: bearer, ...creating } },
  '/bot/{id}/copy': { post: { operationId: 'copy', security: bearer, ...creating } },
  '/bot/{id}/ping': { post: { operationId: 'ping', security: bearer, requestBody: body, responses: { 200: answer } } },
  '/admin/users': { post: { operationId: 'createUser', security: bearer, 'x-makes': 'user', ...creating } },
  '/admin/groups': { post: { operationId: 'createGroup', security: bearer, 'x-needs-group': 'Admin', ...creating } },
  '/bot/{id}/publication': { post: { operationId: 'publish', security: bearer, 'x-needs-group': 'PublishAllowed', ...creating } },
  '/auth/sign-up': { post: { operationId: 'signUp', security: [], ...creating } },
};

/** Creates something new for every request that reaches it. Some titles make it behave differently. */
export function maker(): FastifyInstance & { asked: number; nids: (string | undefined)[] } {
  const service = Object.assign(stub('bots', paths), { asked: 0, nids: [] as (string | undefined)[] });
  const create = async (request: FastifyRequest) => {
    const { nid, sub } = statementIn(request);
    const { body: asked } = request;
    const { bot_title: title } = asked as { bot_title?: string };
    if (title === 'lost' && !service.nids.includes(nid)) request.raw.socket.destroy();
    service.nids.push(nid);
    if (title === 'slow') await once(service.server, 'go on');
    const status = title === 'refused' && service.asked++ === 0 ? 409 : 201;
    return { status, body: { id: nid ?? 'new', made_for: sub, count: service.nids.length, key_value: 'pk_0123456789abcdefghijkl' } };
  };
  for (const path of ['/bot', '/bot/:id/copy', '/bot/:id/ping', '/admin/users', '/admin/groups', '/bot/:id/publication', '/auth/sign-up']) {
    service.post(path, async (request, reply) => {
      const made = await create(request);
      return reply.code(made.status).header('etag', '"1"').header('location', '/bot/1').header('x-other', 'yes').send(made.body);
    });
  }
  return service;
}
