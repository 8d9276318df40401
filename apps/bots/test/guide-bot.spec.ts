import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GroupDeleted, UserRegistered } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { KeysOfUsers } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { FileStore } from '../src/adapters/file-store.ts';
import { GuideFiles } from '../src/adapters/guide-files.ts';
import { GuideBot, guideIdOf } from '../src/workflows/guide-bot.ts';
import { type Answer, BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

/** The bots service with an identity service that names a first Admin. */
class Installation {
  private constructor(
    readonly bots: BotsUnderTest,
    readonly knowledge: KnowledgeUnderTest,
    private readonly keys: KeysOfUsers,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Installation> {
    const bots = await BotsUnderTest.start(settings);
    const keys = new KeysOfUsers();
    await keys.enter(bots.service.host);
    return new Installation(bots, new KnowledgeUnderTest(bots), keys);
  }

  /** Delivers the registration of a user. */
  async registers(userId: string, groups: readonly string[], { isFirst = false } = {}): Promise<void> {
    if (isFirst) this.keys.firstAdmin = userId;
    const data = { user_id: userId, email: 's', first_name: 's', last_name: 's', groups };
    await this.bots.service.hear(UserRegistered.type, `user-${userId}`, data);
  }

  /** Resolves when the earlier deliveries about this user are handled: a later event with the same key has had its effect. */
  async handled(userId: string): Promise<void> {
    const [owner, group] = [newId(), newId()];
    const { id } = await this.bots.create(owner);
    await this.bots.share(owner, id, 'partial', { target_allowed_group_ids: [group], target_allowed_user_ids: [newId()] });
    await this.bots.service.hear(GroupDeleted.type, `user-${userId}`, { group });
    const groups = async () => (await this.bots.get(`/bot/private/${id}`, this.bots.service.as(owner))).body.allowed_group_ids;
    await waitFor(async () => (await groups()).length === 0, { what: 'the earlier deliveries' });
  }

  guideOf(userId: string): Promise<Answer> {
    return this.bots.get(`/bot/private/${guideIdOf(userId)}`, this.bots.service.as(userId));
  }

  /** Waits until the guide is created, shared and pinned. */
  async pinned(userId: string): Promise<Answer['body']> {
    let answer: Answer | undefined;
    await waitFor(async () => (answer = await this.guideOf(userId)).body.status === 'pinned@999', { what: 'the guide' });
    return answer!.body;
  }

  /** The types of all events on a stream of the guide. */
  async eventTypes(botId: string): Promise<readonly string[]> {
    return (await this.bots.service.published())
      .filter(({ subject }) => subject.includes(botId))
      .map(({ type }) => type.replace(/^parlance\.bots\.|\.v1$/g, ''));
  }

  make(userId: string): Promise<void> {
    return this.bots.app.get(GuideBot).make(userId);
  }
}

const filesOfGuide = async () => {
  const names: string[] = [];
  for await (const { name } of new GuideFiles().all()) names.push(name);
  return names;
};

describe('the guide of an installation', () => {
  let installation: Installation;
  const root = newId();

  beforeAll(async () => {
    installation = await Installation.start();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => installation.bots.stop());

  it('is created for the first Admin, with the documents of the product, for all users', async () => {
    await installation.registers(root, ['Admin'], { isFirst: true });
    const guide = await installation.pinned(root);
    expect(guide).toMatchObject({
      id: guideIdOf(root),
      title: 'Parlance Guide',
      owner_user_id: root,
      shared_scope: 'all',
      display_retrieved_chunks: true,
      default_model: 'local-extractive',
      active_models: ['local-extractive'],
      knowledge: { filenames: await filesOfGuide() },
    });
    expect(guide.conversation_quick_starters).toHaveLength(3);
    expect((await installation.bots.get(`/bot/${guide.id}`, installation.bots.service.as(newId()))).status).toBe(200);
    expect(await installation.knowledge.settled(root, guide.id)).toMatchObject({ sync_status: 'SUCCEEDED' });
  });
  it('is not created again by a second delivery or by concurrent ones', async () => {
    const guide = guideIdOf(root);
    const before = await installation.eventTypes(guide);
    await installation.registers(root, ['Admin'], { isFirst: true });
    await installation.handled(root);
    await Promise.all([installation.make(root), installation.make(root)]);
    expect(await installation.eventTypes(guide)).toEqual(before);
  });
  it('keeps what an administrator has changed since', async () => {
    const guide = guideIdOf(root);
    const admin = installation.bots.service.as(root, 'Admin');
    await installation.bots.ask('PATCH', `/admin/bot/${guide}/pushed`, admin, { to_pinned: false });
    await installation.bots.share(root, guide, 'private');
    await installation.make(root);
    expect((await installation.guideOf(root)).body).toMatchObject({ status: 'unshared', shared_scope: 'private' });
  });
  it('is not created again after it was deleted, and no file is uploaded again', async () => {
    const guide = guideIdOf(root);
    expect((await installation.bots.ask('DELETE', `/bot/${guide}`, installation.bots.service.as(root))).status).toBe(204);
    await waitFor(async () => (await installation.knowledge.keys()).length === 0, { what: 'the files to be removed' });
    await installation.make(root);
    expect((await installation.guideOf(root)).status).toBe(404);
    expect(await installation.knowledge.keys()).toEqual([]);
  });
  it('is created once if several deliveries begin at the same time', async () => {
    const admin = newId();
    await Promise.all([installation.make(admin), installation.make(admin), installation.make(admin)]);
    const types = await installation.eventTypes(guideIdOf(admin));
    const count = (type: string) => types.filter((each) => each === type).length;
    const files = (await filesOfGuide()).length;
    expect(['bot-created', 'file-upload-granted', 'bot-widened', 'bot-pinned'].map(count)).toEqual([1, files, 1, 1]);
  });
  it('is completed after the object store has failed meanwhile', async () => {
    const admin = newId();
    const store = installation.bots.app.get(FileStore);
    const put = store.put.bind(store);
    let calls = 0;
    jest.spyOn(store, 'put').mockImplementation((...args) => {
      if (++calls === 3) throw refuse('unavailable', 'object_store_down', 'The object store cannot be reached. Try again later.');
      return put(...args);
    });
    await installation.registers(admin, ['Admin'], { isFirst: true });
    const guide = await installation.pinned(admin);
    const files = await filesOfGuide();
    expect(calls).toBe(files.length + 1);
    expect(guide.knowledge.filenames).toEqual(files);
    expect((await installation.eventTypes(guide.id)).filter((type) => type === 'file-upload-granted')).toHaveLength(files.length);
  });
  it('is created by a redelivery if the object store was unavailable', async () => {
    const admin = newId();
    const { broker } = installation.bots.service.host;
    jest.spyOn(installation.bots.app.get(FileStore), 'put').mockRejectedValue(new Error('the bucket is not there'));
    await installation.registers(admin, ['Admin'], { isFirst: true });
    await waitFor(async () => (await broker.deadLetters('bots', 10)).length === 1, { what: 'the dead letter' });
    expect((await installation.guideOf(admin)).status).toBe(404);
    jest.restoreAllMocks();
    expect(await broker.redrive('bots')).toBe(1);
    await installation.pinned(admin);
  });
  it('is not created for an erased Admin, and leaves no file', async () => {
    const [admin, keys] = [newId(), new KeysOfUsers()];
    await keys.enter(installation.bots.service.host);
    await keys.erase(admin);
    const before = await installation.knowledge.keys();
    await installation.make(admin);
    expect((await installation.guideOf(admin)).status).toBe(404);
    expect(await installation.knowledge.keys()).toEqual(before);
  });
});

describe('no guide is created', () => {
  it.each<[string, Record<string, string>, readonly string[], boolean]>([
    ['if guideBot is false', { PARLANCE_GUIDE_BOT: 'false' }, ['Admin'], true],
    ['for an Admin who is not the first one', {}, ['Admin'], false],
    ['for a user who is not an Admin', {}, ['CreatingBotAllowed'], true],
  ])('%s', async (_, settings, groups, isFirst) => {
    const installation = await Installation.start(settings);
    const make = jest.spyOn(installation.bots.app.get(GuideBot), 'make');
    const user = newId();
    await installation.registers(user, groups, { isFirst });
    await installation.handled(user);
    await installation.bots.stop();
    expect(make).not.toHaveBeenCalled();
  });
});
