import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { asyncApiDocument, publicEvents } from './index.ts';

const asyncApiSchema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json') as object;

describe('public events', () => {
  it('have unique, versioned types that are named after their service', () => {
    const types = publicEvents.map((event) => event.type);
    expect(new Set(types).size).toBe(types.length);
    for (const event of publicEvents) expect(event.type).toMatch(new RegExp(`^parlance\\.${event.service}\\.[a-z-]+\\.v\\d+$`));
  });
  it('refuse undeclared fields, so that no data are published by mistake', () => {
    for (const event of publicEvents) expect(event.schema.safeParse({ surprise: 1 }).success).toBe(false);
  });
  it('accept orders of pinned bots from 1 to 999', () => {
    const { schema } = publicEvents.find(({ type }) => type === 'parlance.bots.bot-pinned.v1')!;
    const accepts = (order: number) => schema.shape['order']!.safeParse(order).success;
    expect([0, 1, 999, 1_000].map(accepts)).toEqual([false, true, true, false]);
  });
  it('describe when they are published and what each field means', () => {
    for (const { type, description, schema } of publicEvents) {
      expect([type, description]).toEqual([type, expect.stringMatching(/^Published when .*\.$/s)]);
      for (const field of Object.values(schema.shape)) {
        const { description: text, properties } = z.toJSONSchema(field);
        if (!properties) expect([type, text]).toEqual([type, expect.stringMatching(/\.$/)]);
      }
    }
  });
});

describe('the AsyncAPI document', () => {
  const document = asyncApiDocument(publicEvents, '0.0.0');
  const validate = new Ajv({ strict: false, meta: false, validateSchema: false, validateFormats: false }).compile(asyncApiSchema);

  it('is valid AsyncAPI 3', () => {
    validate(document);
    expect(validate.errors).toBeNull();
  });
  it('is refused by the same check if a part is missing', () => {
    const { info: _, ...broken } = document;
    expect(validate(broken)).toBe(false);
  });
  it('has every event once', () => {
    const names = Object.values(document.components.messages).map((message) => message.name);
    expect(names.toSorted()).toEqual(publicEvents.map((event) => event.type).toSorted());
  });
  it('keeps the events of each service in its own channel', () => {
    expect(Object.keys(document.channels['bots']?.messages ?? {})).toEqual([
      'botConfiguredV1',
      'botCreatedV1',
      'botDeletedV1',
      'botEditorsChangedV1',
      'botNarrowedV1',
      'botPinnedV1',
      'botRestoredV1',
      'botUnpinnedV1',
      'botWidenedV1',
      'embeddingUsedV1',
      'fileRemovedV1',
      'fileUploadGrantedV1',
      'filesRemovedV1',
      'knowledgeRemovedV1',
      'knowledgeSyncAbandonedV1',
      'knowledgeSyncFailedV1',
      'knowledgeSyncRequestedV1',
      'knowledgeSyncStartedV1',
      'knowledgeSyncSucceededV1',
      'promptChangedV1',
      'promptCreatedV1',
      'promptDeletedV1',
      'promptRestoredV1',
      'promptSharingChangedV1',
      'rerankingUsedV1',
      'botsActionRefusedV1',
      'botsDataViewedV1',
    ]);
  });
});
