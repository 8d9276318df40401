// The effects of a run, as clients see them when no work is left.
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { patience } from '../../libs/testing/dist/patience.js';

const AUDITED = ['create_bot', 'configure_bot', 'delete_bot', 'create_group'];
const AT_ONCE = 8;
const within = patience(300_000);

/**
 * Counts the effects by mark. `bots` are the IDs of existing bots, `replies` the states of the replies to each message by its mark, `audited` the numbers
 * of audit entries by action and resource.
 */
export async function foundEffects(edges, { commands }, published) {
  const effects = new Map();
  const found = (mark) => effects.set(mark, (effects.get(mark) ?? 0) + 1);
  const changed = new Set(commands.filter(({ kind }) => kind === 'change' || kind === 'staleVersion').map(({ botId }) => botId));
  const bots = (await edges.all('/bot?kind=private', 'bots')).filter(({ id }) => !published.includes(id));
  await atOnce(bots, async ({ id, title }) => {
    if (!changed.has(id)) return found(title);
    const versions = await edges.all(`/bot/${id}/history`, 'versions');
    for (const { title: given } of versions) if (given !== null) found(given);
  });
  for (const { name, built_in: isBuiltIn } of await edges.all('/admin/groups', 'groups')) if (!isBuiltIn) found(name);
  for (const id of published)
    for (const { description } of await edges.all(`/bot/${id}/publication/api-key`, 'api_keys')) found(description);
  const replies = new Map();
  const conversations = await edges.all('/conversations', 'conversations');
  await atOnce(conversations, async ({ conversation_id: id, title }) => {
    if (title.startsWith('retitle-')) found(title);
    for (const { mark, statuses } of await answeredMessages(edges, id)) {
      found(mark);
      replies.set(mark, statuses);
    }
  });
  return { effects, replies, bots: new Set(bots.map(({ id }) => id)), audited: await auditEntries(edges) };
}

/** The messages of a conversation with the states of their replies, when no reply is being written or the time is over. */
async function answeredMessages(edges, id) {
  let messages;
  const read = async () => {
    const { message_map: map } = await edges.read(`/conversation/${id}?limit=1000`);
    const replies = Object.values(map).filter(({ role }) => role === 'assistant');
    messages = Object.entries(map)
      .filter(([, { role }]) => role === 'user')
      .map(([messageId, { content }]) => ({
        mark: content.map(({ body }) => body).join(''),
        statuses: replies.filter(({ parent }) => parent === messageId).map(({ status }) => status),
      }));
    return messages.every(({ statuses }) => statuses.length > 0 && !statuses.includes('processing'));
  };
  await waitFor(read, { timeout: within, what: `the replies of ${id}` }).catch(() => undefined);
  return messages;
}

async function auditEntries(edges) {
  const entries = new Map();
  for (const action of AUDITED) {
    const counts = new Map();
    for (const { resource_id: id } of await edges.all(`/admin/audit-logs?success=true&action_type=${action}`, 'audit_logs'))
      counts.set(id, (counts.get(id) ?? 0) + 1);
    entries.set(action, counts);
  }
  return entries;
}

/** Works on all items, a few at once. */
export async function atOnce(items, work) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
