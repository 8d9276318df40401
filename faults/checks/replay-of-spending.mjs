// Rows of costs and of budgets' spending computed from inference's log: an independent fold.
import { idOf } from '../evidence.mjs';

/** Rows by key: for months, and for days of budgets. */
export function spendingBy(evidence) {
  const spending = { months: new Map(), days: new Map(), counted: new Set() };
  for (const { event, commit } of evidence.events('inference')) {
    const at = new Date(commit.metadata.at).toISOString();
    changes[event.type]?.(spending, event, { at, stream: commit.stream });
  }
  return spending;
}

const changes = {
  ReplyCompleted: charged,
  TokensCharged: charged,
  KnowledgeCharged: charged,
  ModelChecked: charged,
  CallCompleted: charged,
  CostsRestated: ({ months }, { corrections }) => corrections.forEach((each) => corrected(months, each)),
  ChargeCorrected({ months, days }, { correction, spentNanoDollars = correction.nanoDollars, budgets = [] }) {
    corrected(months, correction);
    spent(days, correction.hour.slice(0, 10), { ...correction, budgets }, spentNanoDollars);
  },
};

function charged({ months, days, counted }, event, { at, stream }) {
  const { userId, botId = null, usage, costNanoDollars } = event;
  const month = at.slice(0, 7);
  for (const row of rowsOf(months, month, event)) {
    row.nano_dollars += costNanoDollars;
    row.input_tokens += usage.inputTokens;
    row.output_tokens += usage.outputTokens;
    // Only rows that cover all models are ordered by cost.
    if (row.model === '') row.ranked = row.nano_dollars;
  }
  spent(days, at.slice(0, 10), event, costNanoDollars);
  if (!stream.startsWith('conversation-')) return;
  const countOnce = (part, key) => {
    if (counted.has(part)) return;
    counted.add(part);
    months.get(key).parts = (months.get(key).parts ?? 0) + 1;
  };
  countOnce(`${month} ${idOf(stream)}`, `${month}|user|${userId}|`);
  if (botId !== null) countOnce(`${month} ${botId} ${userId}`, `${month}|bot|${botId}|`);
}

function corrected(months, correction) {
  for (const row of rowsOf(months, correction.hour.slice(0, 7), correction)) {
    row.corrections = (row.corrections ?? 0) + correction.nanoDollars;
    if (row.model === '') row.ranked ??= 0;
  }
}

/** Returns the rows, and creates those that do not exist yet. */
function rowsOf(months, month, { userId, botId = null, api, model: used }) {
  const scopes = [['all', ''], ['user', userId], ...(botId === null ? [] : [['bot', botId]])];
  if (api && botId !== null) scopes.push(['key', api.keyId], ['keys', '']);
  return scopes.flatMap(([scope, id]) =>
    ['', used].map((model) => {
      const key = `${month}|${scope}|${id}|${model}`;
      if (!months.has(key)) months.set(key, { month, scope, id, model, nano_dollars: 0, input_tokens: 0, output_tokens: 0 });
      return months.get(key);
    }),
  );
}

function spent(days, day, { userId, botId = null, api, budgets = [] }, nanoDollars) {
  if (nanoDollars === 0) return;
  const scopes = [['all', ''], ['user', userId], ...budgets.map((mark) => ['budget', mark.split('/')[0]])];
  if (botId !== null) scopes.push(['bot', botId]);
  if (api) scopes.push(['key', api.keyId]);
  for (const [scope, id] of scopes) {
    const key = `${day}|${scope}|${id}`;
    days.set(key, { day, scope, id, nano_dollars: (days.get(key)?.nano_dollars ?? 0) + nanoDollars });
  }
}
