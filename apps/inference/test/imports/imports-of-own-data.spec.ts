import { afterAll, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { attachment, text } from '../files.ts';
import { OwnDataWorld } from '../own-data-world.ts';

const world = await OwnDataWorld.start();
afterAll(() => world.service.stop());

interface Shown {
  readonly role: string;
  readonly content: readonly { readonly content_type: string; readonly body?: string }[];
  readonly create_time: number;
  readonly parent: string | null;
  readonly feedback?: object;
}

/** The messages of a conversation in the order of their tree, without their IDs and files. */
const shown = async (userId: string, id: string) => {
  const { body } = await world.call(userId, 'get', `/conversation/${id}`);
  const map = body.message_map as Record<string, Shown>;
  const behind = (parent: string | null): object[] =>
    Object.entries(map)
      .filter(([, message]) => message.parent === parent)
      .flatMap(([child, { role, content, create_time, feedback }]) => [
        { role, create_time, feedback, texts: content.flatMap(({ body: its }) => its ?? []) },
        ...behind(child),
      ]);
  return { title: body.title, create_time: body.create_time, last: map[body.last_message_id]!.role, messages: behind(null) };
};

const imported = async (userId: string, bytes: Buffer) =>
  (await world.call(userId, 'post', '/conversations/imports').set('content-type', 'application/zip').send(bytes)).body;

it('imports the archive of an export into another account', async () => {
  const [ann, ben] = [newId(), newId()];
  const long = await world.say(ann, [attachment('a.txt', 'A'), text('Why is the sky blue?')]);
  const message = { content: [text('And the sea?')], parent_message_id: long.message_id };
  await world.say(ann, [], { conversation_id: long.conversation_id, message });
  const rating = { thumbs_up: false, category: 'wrong', comment: 'No.' };
  await world.call(ann, 'put', `/conversation/${long.conversation_id}/${long.message_id}/feedback`).send(rating);
  const short = await world.say(ann, [text('Hello.')]);
  const id = await world.ask(ann);
  await world.ready(ann, id);
  const bytes = await world.bytes(id);

  const report = await imported(ben, bytes);
  expect([report.source, report.is_complete, report.imported]).toEqual(['parlance', true, 2]);
  expect(report.left_out).toMatchObject([{ source_id: long.conversation_id, reason: 'attachment', count: 1 }]);
  for (const { conversation_id } of [long, short]) {
    const { conversation_id: copy } = report.conversations.find(({ source_id }: { source_id: string }) => source_id === conversation_id);
    expect(copy).not.toBe(conversation_id);
    expect(await shown(ben, copy)).toEqual(await shown(ann, conversation_id));
  }
  expect(await imported(ben, bytes)).toMatchObject({ imported: 0, unchanged: 2 });
  // The files still exist.
  expect(await imported(ann, bytes)).toMatchObject({ imported: 0, unchanged: 2 });
});
