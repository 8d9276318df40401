import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';
import { describePictures } from './pictures.ts';

const [ann, ben] = [newId(), newId()];
const FILE = 'ships.txt';

const bots = await BotsUnderTest.start();
const knowledge = new KnowledgeUnderTest(bots);
afterAll(() => bots.stop());

const address = (userId: string, botId: string, as = bots.creator(userId)) =>
  bots.get(`/bot/${botId}/presigned-url?filename=${FILE}&content_type=text/plain`, as);
const remove = (userId: string, botId: string, filename = FILE) =>
  bots.ask('DELETE', `/bot/${botId}/uploaded-file?filename=${filename}`, bots.creator(userId));

async function savedBot(): Promise<string> {
  const id = newId();
  await knowledge.upload(ann, id, FILE, 'The ferry to Bergen leaves at noon.');
  await bots.create(ann, { id, knowledge: { filenames: [FILE] } });
  await knowledge.settled(ann, id);
  return id;
}

describePictures(bots, knowledge);

describe('an address for an upload', () => {
  it('requires the group CreatingBotAllowed if the bot does not exist', async () => {
    const { status, body } = await address(ann, newId(), bots.service.as(ann));
    expect([status, body.code]).toEqual([403, 'group_required']);
  });
  it('is refused to viewers of the bot', async () => {
    const id = await savedBot();
    await bots.share(ann, id, 'all');
    const answers = [await address(ben, id), await remove(ben, id)];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'not_editor']));
  });
  it("leads to the caller's own files, if the caller may not see the bot", async () => {
    const id = await savedBot();
    const { status, body } = await address(ben, id);
    const { pathname, searchParams } = new URL(body.url);
    expect([status, pathname.startsWith(`/files/knowledge/${ben}/${id}/`)]).toEqual([200, true]);
    expect(searchParams.get('issued_to')).toBe(`session.session.${ben}`);
  });
});

describe('the user who answers for calls that no user approves', () => {
  const HOUR = 3_600_000;
  const editor = newId();
  const answering = async (botId: string) =>
    (await bots.ask('POST', `/internal/bots/${botId}/retrieve`, bots.onBehalfOf(ben), { query: '' })).body.configured_by;
  const change = (userId: string, botId: string, body: object) => bots.ask('PATCH', `/bot/${botId}`, bots.creator(userId), body);
  async function editedBot(): Promise<string> {
    const id = await savedBot();
    await bots.share(ann, id, 'partial', { target_allowed_user_ids: [editor, ben], target_editor_user_ids: [editor] });
    bots.service.later(2 * HOUR);
    expect(await answering(id)).toBe(ann);
    return id;
  }

  it('is an editor who may have replaced a file of the bot', async () => {
    const id = await editedBot();
    await address(editor, id);
    expect(await answering(id)).toBe(editor);
  });
  it('is nobody while files of one user may arrive after a change of another', async () => {
    const id = await editedBot();
    await address(editor, id);
    for (const instruction of ['Be brief.', 'Be exact.']) {
      await change(ann, id, { instruction });
      expect(await answering(id)).toBeNull();
    }
    bots.service.later(2 * HOUR);
    expect(await answering(id)).toBeNull();
    await change(ann, id, { instruction: 'Be kind.' });
    expect(await answering(id)).toBe(ann);
  });
  it('is nobody after uploads of two users, until the last files of one of them have arrived', async () => {
    const id = await editedBot();
    await address(editor, id);
    bots.service.later(HOUR);
    await address(ann, id);
    expect(await answering(id)).toBeNull();
    bots.service.later(HOUR);
    await change(ann, id, { instruction: 'Be brief.' });
    expect(await answering(id)).toBe(ann);
  });
});

describe('an object store that does not answer', () => {
  it('makes requests for an address and for a removal unavailable, and they have no effect', async () => {
    const id = await savedBot();
    await knowledge.upload(ann, id, 'spare.txt', 'Not part of the bot.');
    const down = { status: 'down', since: 1, latency_ms: null, bytes: null } as const;
    const state = jest.spyOn(bots.service.host.objects.health!, 'state').mockResolvedValue(down);
    const answers = [await address(ann, id), await remove(ann, id, 'spare.txt')];
    state.mockRestore();
    for (const { status, body } of answers) expect([status, body.code]).toEqual([503, 'object_store_unavailable']);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toHaveLength(2);
    expect((await address(ann, id)).status).toBe(200);
  });
});

describe('the removal of a file', () => {
  it('is refused while the bot uses the file', async () => {
    const id = await savedBot();
    const { status, body } = await remove(ann, id);
    expect([status, body.code]).toEqual([409, 'file_in_use']);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toHaveLength(1);
  });
  it('removes a file that the bot does not use, and may be repeated', async () => {
    const id = await savedBot();
    await knowledge.upload(ann, id, 'spare.txt', 'Not part of the bot.');
    expect([(await remove(ann, id, 'spare.txt')).status, (await remove(ann, id, 'spare.txt')).status]).toEqual([204, 204]);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toHaveLength(1);
  });
  it('does not depend on a bot that the caller may not see', async () => {
    const id = await savedBot();
    await knowledge.upload(ben, id, FILE, 'Planted text.');
    expect((await remove(ben, id)).status).toBe(204);
    expect(await knowledge.keys(`knowledge/${ben}/`)).toEqual([]);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toHaveLength(1);
  });
});
