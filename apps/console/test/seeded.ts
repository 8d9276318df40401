import { atEnd, type ConsoleWorld } from './console-world.ts';

export interface Seeded {
  readonly botId: string;
  readonly title: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly webhookId: string;
}

const HANDBOOK =
  'Leave. In the first year there are 25 days of leave. Travel is booked by the office. Equipment is replaced every three years.';
const QUESTIONS = ['How many days of leave are there in the first year?', 'Who books travel?', `A ${'very'.repeat(60)} long word`];

/** Data for all pages: a bot with knowledge that all users see, a chat with it, and users. */
export async function seed({ id: worldId, parlance, product }: ConsoleWorld): Promise<Seeded> {
  const { api, bots, conversations } = parlance;
  // Nothing listens there, so its deliveries wait for the next attempt. Events of other types, which the product has from all spec files,
  // would fill the first page.
  const { id: webhookId } = await api.post('/admin/webhooks', {
    body: { url: 'http://127.0.0.1:1/events', event_types: ['parlance.bots.bot-created.v1'] },
  });
  atEnd(() => api.delete('/admin/webhooks/{webhookId}', { path: { webhookId } }));
  const title = `Handbook ${worldId}`;
  const body = {
    title,
    description: 'Answers questions about leave and travel.',
    instruction: 'Be brief.',
    icon: 'book' as const,
    colour: 'blue' as const,
    display_retrieved_chunks: true,
  };
  const { id } = await bots.create({ ...body, conversation_quick_starters: [{ title: 'Leave', example: QUESTIONS[0]! }] });
  atEnd(() => bots.delete(id));
  await bots.upload(id, 'handbook.txt', 'text/plain', new TextEncoder().encode(HANDBOOK));
  await bots.change(id, { knowledge: { added_filenames: ['handbook.txt'] } });
  await bots.synced(id);
  await api.patch('/bot/{botId}/visibility', { path: { botId: id }, body: { target_shared_scope: 'all' } });
  let conversationId: string | undefined;
  for (const question of QUESTIONS) {
    const message = { content: [{ content_type: 'text' as const, body: question }] };
    const answered = await conversations.ask({ ...(conversationId && { conversation_id: conversationId }), bot_id: id, message });
    conversationId = answered.conversation_id;
  }
  const terms = { models: ['local-*'], requests_per_minute: 60, cost_centre: 'sales', tags: { app: 'report' } };
  const key = await api.post('/user/me/tokens', { body: { description: `Report ${worldId}`, scopes: ['models'], ...terms } });
  atEnd(() => api.delete('/user/me/tokens/{tokenId}', { path: { tokenId: key.token_id } }));
  await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.token!}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'local-extractive', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  let userId = '';
  for (let index = 1; index <= 12; index++) {
    const person = { email: `user${index}-${worldId}@example.org`, first_name: `First${index}`, last_name: 'Last' };
    const created = await api.post('/admin/users', { body: { ...person, groups: index % 2 === 0 ? ['CreatingBotAllowed'] : [] } });
    userId = created.user_id;
  }
  return { botId: id, title, conversationId: conversationId!, userId, webhookId };
}
