// I4: however often an event is delivered, it has one effect: one entry in the audit log, one charge for a reply.
import { services } from '../evidence.mjs';
import { eventsOfAll, expectedEvents } from './expected-events.mjs';

/** I11, the first half: audited actions and entries match one to one, and each entry states who acted from where. */
export function oneAuditEntryEach({ evidence }) {
  const due = new Map();
  for (const service of services) {
    for (const { id, event, commit } of evidence.events(service)) {
      const says = dueEntry(event, commit);
      if (says) due.set(id, says);
    }
  }
  const problems = [];
  const found = new Set();
  for (const { event } of evidence.events('analytics').filter((each) => each.event.type === 'AuditEntryRecorded')) {
    const { id, user_id, action_type, resource_type, resource_id, timestamp, ip_address, user_agent, success } = event.entry;
    if (found.has(id)) problems.push(`audit entry ${id} (${action_type} ${resource_id}) was recorded twice`);
    found.add(id);
    const says = [user_id, action_type, resource_type, resource_id, timestamp, ip_address, user_agent, success];
    if (!due.has(id)) problems.push(`audit entry ${id} (${action_type} ${resource_id}) belongs to no action`);
    else if (JSON.stringify(says) !== JSON.stringify(due.get(id)))
      problems.push(`audit entry ${id} says ${JSON.stringify(says)} of ${JSON.stringify(due.get(id))}`);
  }
  for (const [id, [, action, , what]] of due) if (!found.has(id)) problems.push(`${action} ${what} (event ${id}) has no audit entry`);
  return problems;
}

/** The events that contain the tokens and the cost of one call to a model. */
const CHARGES = ['ReplyCompleted', 'TokensCharged'];

/** Costs computed from the log by payer, compared with what administrators see. */
export async function oneChargeEach({ evidence, product }) {
  const months = new Map();
  for (const { event, commit } of evidence.events('inference').filter(({ event: { type } }) => CHARGES.includes(type))) {
    const month = new Date(commit.metadata.at).toISOString().slice(0, 7);
    if (!months.has(month)) months.set(month, { all: none(), users: new Map(), bots: new Map(), conversations: new Map() });
    const sums = months.get(month);
    const { userId, botId } = event;
    for (const sum of [sums.all, entry(sums.users, userId), ...(botId === null ? [] : [entry(sums.bots, botId)])]) {
      sum.input += event.usage.inputTokens;
      sum.output += event.usage.outputTokens;
      sum.nano += event.costNanoDollars;
    }
    if (!sums.conversations.has(userId)) sums.conversations.set(userId, new Set());
    sums.conversations.get(userId).add(commit.stream);
  }
  const problems = [];
  for (const [month, sums] of months) problems.push(...(await misjudged(product, month, sums)));
  return problems;
}

async function misjudged(product, month, { all, users, bots, conversations }) {
  const { status, body } = await product.ask('GET', `/admin/costs/summary?period=${month}&top_n=100`);
  if (status !== 200) return [`the costs of ${month} answered ${status}`];
  const problems = [];
  const compare = (what, shown, sum) => {
    const [says, is] = [shown, [sum.input, sum.output, sum.nano / 1e9]].map((figures) => JSON.stringify(figures));
    if (says !== is) problems.push(`the costs of ${month} for ${what} are shown as ${says}, by the log they are ${is}`);
  };
  compare('all', [body.total_input_tokens, body.total_output_tokens, body.total_cost], all);
  for (const user of body.top_users) {
    compare(`user ${user.user_id}`, [user.input_tokens, user.output_tokens, user.total_cost], users.get(user.user_id) ?? none());
    const talked = conversations.get(user.user_id)?.size ?? 0;
    if (user.conversation_count !== talked)
      problems.push(`user ${user.user_id} has ${user.conversation_count} conversations, not ${talked}`);
  }
  for (const bot of body.top_bots)
    compare(`bot ${bot.bot_id}`, [bot.input_tokens, bot.output_tokens, bot.total_cost], bots.get(bot.bot_id) ?? none());
  if (body.top_bots.length !== Math.min(100, bots.size)) problems.push(`${body.top_bots.length} bots have costs, not ${bots.size}`);
  return problems;
}

const none = () => ({ input: 0, output: 0, nano: 0 });

function entry(sums, id) {
  if (!sums.has(id)) sums.set(id, none());
  return sums.get(id);
}

const entries = Object.assign({}, eventsOfAll, ...Object.values(expectedEvents));

/** The fields of the entry for this event, in the order of the check; undefined if the event has no entry. */
function dueEntry(event, { stream, metadata }) {
  const auditAction = entries[event.type]?.[1]?.(event, stream);
  if (!auditAction) return undefined;
  const { at, actor, ip, userAgent } = metadata;
  const { action, resource, what, success = true, who = actor ?? (ip === null ? 'system' : 'anonymous') } = auditAction;
  return [who, action, resource, what, Math.floor(at / 1000), ip, userAgent, success];
}
