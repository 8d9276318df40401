import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { botItem, conversationItem, fields, type MadeConversation } from './items.ts';
import { Seeded } from './seeded.ts';

export interface ExportPlan {
  readonly directory: string;
  readonly version: 2 | 3;
  readonly seed: number;
  readonly users: number;
  readonly bots: number;
  readonly conversations: number;
  /** The number of words of a reply. */
  readonly words?: number;
  readonly hasImages?: boolean;
  /** Adds one record of each kind that cannot be imported, or only in part. */
  readonly hasBroken?: boolean;
  /** Whether one of the bots is published. */
  readonly isPublished?: boolean;
  /** The number of conversations that are too long for an item of the source. Their messages are in files. */
  readonly long?: number;
}

/** The expected result of a migration: the importable records, and how often each reason must be reported. */
export interface ExportTruth {
  readonly users: readonly { readonly id: string; readonly email: string }[];
  readonly botIds: readonly string[];
  readonly first: { readonly id: string; readonly userId: string; readonly title: string };
  readonly conversations: number;
  readonly messages: number;
  readonly nanoDollars: number;
  readonly reasons: Readonly<Record<string, number>>;
}

const FILES = 3;
const DAY = 86_400_000;
const FROM = Date.parse('2025-01-10T00:00:00Z');

/** Writes an export in the form of the source's services: files of items, buckets, and users. The same seed gives the same export. */
export async function writeSourceExport(plan: ExportPlan): Promise<ExportTruth> {
  const { directory, version, users: people, bots, conversations, words = 80, hasImages = false, long = 0 } = plan;
  const random = new Seeded(plan.seed);
  const users = Array.from({ length: people }, (_, index) => ({ id: random.uuid(), email: `user-${index + 1}@example.org` }));
  const userOf = (index: number) => users[index % people]!;
  const data = join(directory, 'AWSDynamoDB', 'data');
  await mkdir(data, { recursive: true });
  const outputs = Array.from({ length: FILES }, (_, index) => {
    const gzip = createGzip({ level: 1 });
    const file = createWriteStream(join(data, `part-${index + 1}.json.gz`));
    gzip.pipe(file);
    return { gzip, done: finished(file) };
  });
  let lines = 0;
  const write = async (line: string) => {
    const { gzip } = outputs[lines++ % FILES]!;
    if (!gzip.write(`${line}\n`)) await once(gzip, 'drain');
  };
  const put = (item: object) => write(JSON.stringify({ Item: fields(item) }));
  const inBucket = async (key: string, content: string) => {
    const path = join(directory, 'files', key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };

  const botIds: string[] = [];
  for (let index = 0; index < bots; index++) {
    const owner = userOf(index);
    const filenames = index === 0 ? ['sky.txt'] : [];
    const traits = { isShared: index < 3, allowedUsers: index === 1 ? [userOf(2).id] : [], pin: index === 0 ? 7 : null };
    // The second of these guardrails has a part that cannot be imported.
    const guardrails = index === 2 ? { hate: 0, grounding: '0.7' } : index === 3 && plan.hasBroken ? { hate: 2, grounding: '0.5' } : null;
    const { id, item } = botItem(random, owner.id, FROM, {
      version,
      filenames,
      isPublished: plan.isPublished === true && index === 0,
      guardrails,
      ...traits,
    });
    botIds.push(id);
    for (const name of filenames) await inBucket(`${owner.id}/${id}/documents/${name}`, 'The sky is blue because short waves scatter.\n');
    await put(item);
    if (index === 0) {
      const other = userOf(1).id;
      const alias = {
        PK: other,
        OriginalBotId: id,
        Title: 'x',
        CreateTime: 1,
        ...(version === 2 ? { IsPinned: true } : { IsStarred: 'TRUE' }),
      };
      await put({ ...alias, SK: version === 2 ? `${other}#BOT_ALIAS#${id}` : `ALIAS#${id}` });
    }
  }

  let [messages, nanoDollars] = [0, 0];
  let first: ExportTruth['first'] | null = null;
  const made: MadeConversation[] = [];
  for (let index = 0; index < conversations; index++) {
    const { id: userId } = userOf(index);
    const botId = bots > 0 && random.is(0.3) ? botIds[random.below(bots)]! : null;
    const isLong = index >= conversations - long;
    const conversation = conversationItem(random, userId, botId, FROM + random.below(120 * DAY), {
      hasImages,
      words: isLong ? 60_000 : words,
    });
    const { item, messageMap } = conversation;
    messages += conversation.messages;
    nanoDollars += conversation.nanoDollars;
    if (made.length < 10) made.push(conversation);
    const id = String(item['SK']).split('#').at(-1)!;
    first ??= { id, userId, title: String(item['Title']) };
    if (isLong) {
      const path = `${userId}/${id}/message_map.json`;
      await inBucket(path, messageMap);
      await put({ ...item, IsLargeMessage: true, LargeMessagePath: path, MessageMap: '{}' });
    } else await put(item);
  }
  const reasons: Record<string, number> = plan.hasBroken ? await writeBroken(put, write, made, random) : {};
  if (plan.hasBroken && bots > 3) reasons['guardrail_filters_not_taken'] = 1;
  // Each conversation has a field of a later version.
  reasons['SomethingNew_unknown'] = conversations;
  if (bots > 2) reasons['guardrail_arn_not_taken'] = plan.hasBroken && bots > 3 ? 2 : 1;

  for (const { gzip } of outputs) gzip.end();
  await Promise.all(outputs.map(({ done }) => done));
  await writeFile(join(directory, 'users.json'), JSON.stringify({ Users: users.map(cognitoUser) }));
  if (!first) throw new Error('an export needs a conversation');
  return { users, botIds, first, conversations, messages, nanoDollars, reasons };
}

const cognitoUser = ({ id, email }: { readonly id: string; readonly email: string }) => ({
  Username: id,
  Enabled: true,
  UserStatus: 'CONFIRMED',
  Attributes: [
    { Name: 'sub', Value: id },
    { Name: 'email', Value: email },
    { Name: 'email_verified', Value: 'true' },
  ],
  Groups: ['CreatingBotAllowed'],
});

type Put = (item: object) => Promise<void>;

/** Writes one broken record of each kind, made from conversations in the export. None of them can be imported. */
async function writeBroken(put: Put, write: (line: string) => Promise<void>, made: readonly MadeConversation[], random: Seeded) {
  const { item } = made[0]!;
  const userId = String(item['PK']);
  const other = (more: object) => ({ ...item, SK: `${userId}#CONV#${random.ulid(FROM)}`, ...more });
  const stranger = random.uuid();
  await write('{"Item": {"PK": {"S": "cut o');
  await write(JSON.stringify({ Item: { PK: { S: userId } } }));
  await write(JSON.stringify({ Item: { PK: 'no type', SK: { S: `${userId}#CONV#x` } } }));
  await put(other({ TotalPrice: 'much' }));
  await put(other({ MessageMap: 'no JSON' }));
  await put(other({ MessageMap: '{}' }));
  await put(other({ CreateTime: 'never' }));
  await put(other({ IsLargeMessage: true, LargeMessagePath: '../../../etc/passwd' }));
  await put({ ...item, PK: stranger, SK: `${stranger}#CONV#${random.ulid(FROM)}` });
  await put({ PK: userId, SK: `${userId}#RELATED_DOCUMENT#c#s`, SourceName: 'x', SourceLink: 'y', Content: { text: 'z' } });
  await put({ PK: userId, SK: 'SOMETHING#else' });
  await put(made[1]!.item);
  return {
    not_json: 1,
    no_keys: 1,
    not_typed: 1,
    total_price_invalid: 1,
    message_map_invalid: 1,
    no_messages: 1,
    create_time_invalid: 1,
    message_file_missing: 1,
    user_unknown: 1,
    related_document_not_taken: 1,
    unknown_record: 1,
    duplicate: 1,
  };
}
