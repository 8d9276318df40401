import { CALLERS_PAGE_POLICY, callersPage, type PublishedDocument } from '@parlance/openapi';
import type { FastifyInstance } from 'fastify';
import { publishedDocument } from './published-document.ts';
import type { PublishedDocumentController } from './published-document.controller.ts';

const FOR_ANYONE = { config: { policy: { access: { to: 'anyone' }, takesQuery: false, streams: false } } } as const;

/**
 * The page for callers of a published bot, at `docs` below its endpoint: its `openapi.json`, for people. It is in no document, because it
 * is not for programs. `PublishedGateway` has checked that the API exists.
 */
export function installCallersPage(instance: FastifyInstance, documents: PublishedDocumentController): void {
  instance.get<{ Params: { apiId: string; stage: string } }>('/published/:apiId/:stage/docs', FOR_ANYONE, ({ params }, reply) => {
    const document = publishedDocument(documents.product()) as PublishedDocument;
    const [endpoint] = documents.endpoints(params.apiId, params.stage);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': CALLERS_PAGE_POLICY,
    };
    return reply.headers(headers).send(callersPage(document, endpoint));
  });
}
