import type { Config } from '@parlance/config';
import { HARMLESS, type ServiceCalls } from '@parlance/calls';
import { NotDone } from '../not-done.ts';
import { type Compared, compare } from './compare.ts';
import { Ledger, type Place, REPORT } from './ledger.ts';
import { hasStar, type Offered } from './mapping/bot.ts';
import { offeredBy } from './offered.ts';
import { type Options, optionsOf } from './options.ts';
import { ExportDirectory } from './source/export-directory.ts';
import { isConversationLine, recordsOf, type Scan, scan } from './source/scan.ts';
import { readUsers, type SourceUser } from './source/users.ts';
import { summaryOf } from './summary.ts';
import { type BotWriting, entryOf, reportEntry, takeBot, takeStar } from './writing/bots.ts';
import { takeConversations } from './writing/conversations.ts';
import { openProduct, type Product } from './writing/product.ts';
import { receiverOf } from './writing/receiver.ts';
import { takeUsers } from './writing/users.ts';

const PROGRESS_EVERY_MILLIS = 1_000;

/**
 * `parlance migrate`: reads an export of Bedrock Chat and imports it with the ordinary commands of the services. All IDs are derived from the
 * IDs of the source. So an interrupted run is repeated with the same command line, and a second run changes nothing.
 */
export async function migrate(config: Config, words: readonly string[]): Promise<void> {
  const options = optionsOf(words);
  const source = new ExportDirectory(options.from);
  await source.itemFiles();
  const usersFile = options.users ?? (await source.usersFile());
  if (usersFile === null) throw new NotDone('the export has no users.json or users.csv: name the file of the users with --users');
  const users = await readUsers(usersFile);
  const scanned = await scan(source);
  if (scanned.published.length > 0) throw new NotDone(stillPublished(scanned.published));
  const product = options.isDryRun ? null : await openProduct(config);
  const ledger = Ledger.open(options.isDryRun ? `${options.directory}-dry-run` : options.directory);
  try {
    if (product?.firstAdmin) print(`Administrator ${product.firstAdmin.email}, password ${product.firstAdmin.password ?? 'as configured'}`);
    await take({ options, source, users, usersFile, scanned, offered: offeredBy(config), product, ledger });
    const compared = product ? await compare(product.calls, options.name, ledger) : null;
    print(summaryOf(options, ledger, compared).join('\n'));
    requireAgreement(compared, ledger);
  } finally {
    scanned.documents.close();
    ledger.close();
    await product?.stop();
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const SHOWN = 5;
const stillPublished = (ids: readonly string[]) =>
  `${ids.length} bots are published in the export (${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ', …' : ''}): delete these APIs in the source first, and export again`;

interface Work {
  readonly options: Options;
  readonly source: ExportDirectory;
  readonly users: readonly SourceUser[];
  readonly usersFile: string;
  readonly scanned: Scan;
  readonly offered: Offered;
  readonly product: Product | null;
  readonly ledger: Ledger;
}

async function take({ options, source, users, usersFile, scanned, offered, product, ledger }: Work): Promise<void> {
  const from = ledger.resumesAfter;
  if (from) print(`Continues after line ${from.line} of ${from.file}`);
  // The report of a continued run already has these entries.
  const leave: Ledger['leave'] = from ? () => undefined : (entry) => ledger.leave(entry);
  const calls = product?.calls ?? null;
  const accounts = await takeUsers(users, scanned.groups, calls, { leave, file: usersFile });
  if (!from) [ledger.read.users, ledger.taken.users] = [users.length, accounts.size];
  print(`Users          ${accounts.size}`);
  const adminId = calls ? await adminOf(calls, options.admin) : null;
  const groupsOf = new Map(users.map(({ id, groups }) => [id, groups]));
  const bots = { source, accounts, groupsOf, offered, taken: new Map(), scanned, product, adminId, wereDone: ledger.wereBotsDone };
  await takeBots({ ...bots, isCounted: from === null, ledger, leave });
  print(`Bots           ${ledger.taken.bots}`);
  if (product) ledger.save({ areBotsDone: true, isDone: false });
  let printedAt = performance.now();
  const onProgress = ({ file, line }: Place) => {
    if (performance.now() - printedAt < PROGRESS_EVERY_MILLIS) return;
    printedAt = performance.now();
    print(`Conversations  ${ledger.taken.conversations}  (line ${line} of ${file})`);
  };
  const receiver = receiverOf(calls, options.name);
  try {
    await takeConversations({ source, accounts, scanned, receiver, ledger, onProgress });
  } finally {
    await receiver.close();
  }
  if (product) ledger.save({ areBotsDone: true, isDone: true });
  else ledger.save({ areBotsDone: false, isDone: true });
}

interface BotWork extends BotWriting {
  readonly isCounted: boolean;
  readonly ledger: Ledger;
  readonly leave: Ledger['leave'];
}

/** Imports the bots, then users' stars for other users' bots. */
async function takeBots({ isCounted, ledger, leave, ...writing }: BotWork): Promise<void> {
  const isOther = (text: string) => text.includes('"SK"') && !isConversationLine(text);
  const { source, scanned } = writing;
  const count = (kind: 'bots' | 'stars', isTaken: boolean) => {
    if (!isCounted) return;
    ledger.read[kind]++;
    if (isTaken) ledger.taken[kind]++;
  };
  for await (const { record, file, line, reason } of recordsOf(source, isOther)) {
    // Lines that are too long are reported with the conversations.
    if (reason === 'line_too_long') continue;
    const report = entryOf({ kind: record?.kind ?? 'unknown', file, line, id: record?.id ?? '' }, leave);
    if (record?.kind === 'bot') {
      const isTaken = await takeBot(record, writing, report);
      count('bots', isTaken);
      if (hasStar(record)) count('stars', isTaken);
    }
    // Documents of a conversation in the export are imported with it.
    else if (record?.kind === 'related_document') {
      if (!scanned.hasConversation(record.userId, record.id))
        report('related_document_not_taken', 'Its conversation is not in the export.');
    } else if (record?.kind !== 'alias') report(reason || 'unknown_record');
  }
  for await (const { record, file, line } of recordsOf(source, isOther))
    if (record?.kind === 'alias') {
      const report = entryOf({ kind: 'alias', file, line, id: record.id }, leave);
      reportEntry(record, writing, report);
      if (hasStar(record)) count('stars', await takeStar(record, writing, report));
    }
}

/** The Admin with this address, or else the oldest Admin. */
async function adminOf(calls: ServiceCalls, email: string | null): Promise<string | null> {
  const selection = { group: 'Admin', enabled: true, sort: 'create_time', order: 'asc', ...(email !== null && { prefix: email }) };
  const { user_ids } = await calls.post<{ user_ids: readonly string[] }>('identity', '/internal/users/select', selection, HARMLESS);
  if (email !== null && user_ids.length === 0) throw new NotDone(`--admin: there is no enabled Admin with the address ${email}`);
  return user_ids[0] ?? null;
}

function requireAgreement(compared: Compared | null, ledger: Ledger): void {
  if (compared === null || compared.differences.length === 0) return;
  throw new NotDone(
    `the counts differ: ${compared.differences.join('; ')}. ${ledger.taken.conversations} conversations were taken; see ${REPORT}`,
  );
}
