import { describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import type { OpenApiDocument } from '@parlance/openapi';
import type { ServiceDocuments } from '../../adapters/service-documents.ts';
import { PublishedDocumentController } from '../published/published-document.controller.ts';
import { DocumentsController } from './documents.controller.ts';

const product = { openapi: '3.1.0', info: { title: 'Parlance', version: '1' }, paths: {}, components: { schemas: {} } } as OpenApiDocument;

describe('the documents of the product and of a published bot', () => {
  const given = (document: OpenApiDocument | null, missing: readonly string[]) => {
    const documents = { openApi: () => document, missing: () => missing } as unknown as ServiceDocuments;
    const config = new Config();
    const published = new PublishedDocumentController(documents, config);
    return [
      () => new DocumentsController(documents, config).openApiDocument(),
      () => published.document('a1', 'api'),
      () => published.product(),
    ];
  };

  it.each([
    ['no service has answered', null, ['bots', 'inference']],
    ['one service has not answered', product, ['bots']],
  ])('are 503 while %s', (_, document, missing) => {
    for (const get of given(document, missing))
      expect(get).toThrow(expect.objectContaining({ code: 'service_unavailable', kind: 'unavailable', facts: { retry_after: 1 } }));
  });
  it('are served when all services have answered', () => {
    for (const get of given(product, [])) expect(get).not.toThrow();
  });
});
