import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import { newId } from '@parlance/event-store';
import type { Service } from '@parlance/foundation';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { Sealed } from '@parlance/privacy';
import { Projector } from '@parlance/read-models';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { MessageFiles } from '../src/adapters/files/message-files.ts';
import { InferenceModule } from '../src/inference.module.ts';
import { RemoveFilesThatNoMessageHas } from '../src/policies/remove-files-that-no-message-has.ts';
import { inference } from '../src/service.ts';
import { attachment } from './files.ts';

const HOUR = 3_600_000;

interface Parts {
  files: MessageFiles;
  policy: RemoveFilesThatNoMessageHas;
  projector: Projector;
}

/** The service, and parts of it. */
function opened(): { service: Service; parts: Parts } {
  const parts = {} as Parts;
  const grab = (files: MessageFiles, policy: RemoveFilesThatNoMessageHas, projector: Projector) =>
    Object.assign(parts, { files, policy, projector });
  const module = async (host: Parameters<Service['module']>[0]): Promise<DynamicModule> => {
    const inner = await InferenceModule.of(host);
    const grabbing = { provide: 'parts', inject: [MessageFiles, RemoveFilesThatNoMessageHas, Projector], useFactory: grab };
    return { ...inner, providers: [...inner.providers!, grabbing] };
  };
  return { service: { ...inference, module }, parts };
}

describe('a file whose message was never accepted', () => {
  const { service: withParts, parts } = opened();
  let service: ServiceUnderTest;
  const stored = async () => (await (await service.host.objects.store()).list('message-files/', { limit: 100 })).map(({ key }) => key);
  /** Stores a file like a process that is killed between storing the files and the append. */
  const orphan = async () => {
    const place = { conversationId: newId(), messageId: newId() };
    const file = { kind: 'attachment', mediaType: 'text/plain', name: 'a.txt', bytes: Buffer.from('x'), sha256: '', text: 'x' } as const;
    await parts.files.store(place, [file], { json: () => 's1.x.y' as Sealed });
    return `message-files/${place.conversationId}/${place.messageId}.0`;
  };

  beforeAll(async () => {
    service = await serviceUnderTest(withParts);
    await new KeysOfUsers().enter(service.host);
  });
  afterAll(() => service.stop());

  it('is removed after an hour, and the files of messages stay', async () => {
    const message = { content: [attachment('notes.txt', 'Keep this.')] };
    const { body } = await request(service.server).post('/conversation').set(service.as('ann')).send({ message });
    const url = `/conversation/${body.conversation_id}/${body.message_id}`;
    await waitFor(async () => (await request(service.server).get(url).set(service.as('ann'))).status === 200, { what: 'the reply' });
    const kept = await stored();
    const left = await orphan();
    await parts.policy.sweep();
    expect(await stored()).toEqual(expect.arrayContaining([...kept, left]));
    service.later(2 * HOUR);
    await parts.policy.sweep();
    await parts.policy.sweep();
    expect(await stored()).toEqual(kept);
  });

  it('stays while the rows lack messages of the log', async () => {
    const left = await orphan();
    const { projector } = parts;
    const includes = projector.includes.bind(projector);
    projector.includes = async () => ({ behind: ['messages'] });
    await parts.policy.sweep();
    await parts.policy.sweep();
    expect(await stored()).toContain(left);
    projector.includes = includes;
    await parts.policy.sweep();
    await parts.policy.sweep();
    expect(await stored()).not.toContain(left);
  });
});
