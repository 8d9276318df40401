import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { parse } from 'yaml';
import { fromBuffer } from 'yauzl';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

const [ann, ben] = [newId(), newId()];
const TEXT = 'The ferry to Bergen leaves at noon.';
const sha256 = createHash('sha256').update(TEXT).digest('hex');

const bots = await BotsUnderTest.start();
const knowledge = new KnowledgeUnderTest(bots);
afterAll(() => bots.stop());

const downloadExport = async (userId: string, botId: string, query = '') => {
  const { statusCode, headers, rawPayload } = await bots.app.inject({
    method: 'GET',
    url: `/bot/${botId}/export${query}`,
    headers: bots.creator(userId),
  });
  return { status: statusCode, headers, bytes: rawPayload };
};

async function entriesOf(zip: Buffer): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  await new Promise<void>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true }, (error, file) => {
      if (error) return reject(error);
      file.on('end', resolve).on('error', reject);
      file.on('entry', (entry) =>
        file.openReadStream(entry, async (failure, stream) => {
          if (failure) return reject(failure);
          entries[entry.fileName] = Buffer.concat(await stream.toArray()).toString();
          file.readEntry();
        }),
      );
      file.readEntry();
    }),
  );
  return entries;
}

describe('an export', () => {
  it('has the configuration of the bot and a list of its files with checksums, as an attachment', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': TEXT });
    await knowledge.save(ann, id, {
      instruction: 'Be brief.\nAlways.',
      knowledge: { source_urls: ['https://www.example.org/'], added_filenames: ['never.txt'] },
      generation_params: { temperature: 0.5 },
    });
    const { status, headers, bytes } = await downloadExport(ann, id);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/yaml; charset=utf-8',
      expect.stringContaining(`attachment; filename="bot-${id}.yaml"`),
    ]);
    expect(parse(bytes.toString())).toMatchObject({
      parlance_bot: 1,
      title: 'Guide',
      instruction: 'Be brief.\nAlways.',
      generation_params: { temperature: 0.5, stop_sequences: [] },
      knowledge: { source_urls: ['https://www.example.org/'], sitemap_urls: [], s3_urls: [] },
      files: [{ name: 'ships.txt', bytes: TEXT.length, content_type: 'text/plain', sha256 }, { name: 'never.txt' }],
    });
  });

  it("contains nothing about the bot's owner, sharing or use", async () => {
    const { id } = await bots.create(ann, { description: 'x' });
    await bots.share(ann, id, 'partial', { target_allowed_user_ids: [ben] });
    const text = (await downloadExport(ann, id)).bytes.toString();
    expect([id, ann, ben].filter((secret) => text.includes(secret))).toEqual([]);
    const accepted = Object.keys(
      (await bots.get('/internal/openapi.json', bots.service.asService('edge'))).body.components.schemas.ChangeBotBody.properties,
    );
    expect(Object.keys(parse(text)).filter((name) => !accepted.includes(name))).toEqual(['parlance_bot', 'files']);
  });

  it('is an archive with the files under safe paths, and with bot.yaml, if files are requested', async () => {
    const id = await knowledge.botWith(ann, { '..': TEXT, 'a:b.txt': TEXT });
    const { headers, bytes } = await downloadExport(ann, id, '?files=true');
    const { 'bot.yaml': yaml, ...files } = await entriesOf(bytes);
    expect([headers['content-type'], files]).toEqual(['application/zip', { 'files/0001-..': TEXT, 'files/0002-a_b.txt': TEXT }]);
    expect(parse(yaml!).files).toMatchObject([
      { name: '..', path: 'files/0001-..', sha256 },
      { name: 'a:b.txt', path: 'files/0002-a_b.txt', sha256 },
    ]);
  });

  it('is refused to users who may only use the bot', async () => {
    const { id } = await bots.create(ann);
    await bots.share(ann, id, 'all');
    const { status, bytes } = await downloadExport(ben, id);
    expect([status, JSON.parse(bytes.toString()).code]).toEqual([403, 'not_editor']);
  });
});

describe("the bots in the export of a user's own data", () => {
  const page = async (user_id: string, after?: string) => {
    const body = { user_id, ...(after !== undefined && { after }) };
    return (await bots.ask('POST', '/internal/bots/exported', bots.service.asService('inference'), body)).body as {
      bots: { bot_id: string; yaml: string }[];
      next: string | null;
    };
  };

  it('are the bots that the user owns, in the format of GET /bot/{id}/export, page by page', async () => {
    const owner = newId();
    const first = await knowledge.botWith(owner, { 'ships.txt': TEXT });
    const ids = [first];
    for (let index = 2; index <= 11; index++) ids.push(await knowledge.botWith(owner, {}));
    const found: { bot_id: string; yaml: string }[] = [];
    for (let next: string | null | undefined = undefined; next !== null;) {
      const answer: Awaited<ReturnType<typeof page>> = await page(owner, next);
      found.push(...answer.bots);
      next = answer.next;
    }
    expect(found.map(({ bot_id }) => bot_id)).toEqual(ids);
    const { files, ...rest } = parse(found[0]!.yaml);
    const { files: ownFiles, ...same } = parse((await downloadExport(owner, first)).bytes.toString());
    expect(rest).toEqual(same);
    expect(files).toEqual([{ name: 'ships.txt', bytes: TEXT.length, content_type: ownFiles[0].content_type }]);
    expect((await page(newId())).bots).toEqual([]);
  });
});
