import type { Conversation, Message } from '@parlance/client/types';
import { queryClient } from '../../../api/query-client.ts';
import { saveFile } from '../../../api/save-file.ts';
import { chatExportMessages } from '../../../messages/chat-export-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { botQuery } from '../conversation/use-models.ts';
import { branchTo } from '../conversation/message-tree.ts';
import { chatAsMarkdown } from './chat-as-markdown.ts';
import { fileNameOf } from './file-name.ts';

const PAGE = 100;
/** A longer chat is exported with its newest messages only. */
const MOST_MESSAGES = 2_000;

/** Saves the newest versions of the messages of a chat as a file. */
export async function exportChat(id: string, title: string): Promise<void> {
  const [{ conversation, messages, isCut }, config] = await Promise.all([
    whole(id),
    queryClient.ensureQueryData({ queryKey: ['config'], queryFn: () => parlance.config() }),
  ]);
  // The bot may have been deleted, or is no longer shared.
  const bot = conversation.bot_id === null ? null : await queryClient.ensureQueryData(botQuery(conversation.bot_id)).catch(() => null);
  const markdown = chatAsMarkdown(
    {
      title,
      botTitle: bot?.title ?? null,
      messages: branchTo(messages, conversation.last_message_id).map(({ message }) => message),
      isCut,
    },
    {
      texts: chatExportMessages(),
      nameOf: (model) => config.global_available_models.find((each) => each.id === model)?.name ?? model,
      now: Math.floor(Date.now() / 1_000),
    },
  );
  saveFile(new Blob([markdown], { type: 'text/markdown;charset=utf-8' }), fileNameOf(title));
}

async function whole(id: string): Promise<{ conversation: Conversation; messages: Record<string, Message>; isCut: boolean }> {
  const newest = await parlance.conversations.get(id, { limit: PAGE });
  const messages = { ...newest.message_map };
  let next = newest.next_token;
  while (next !== null && Object.keys(messages).length < MOST_MESSAGES) {
    const page: Conversation = await parlance.conversations.get(id, { limit: PAGE, next_token: next });
    Object.assign(messages, page.message_map);
    next = page.next_token;
  }
  return { conversation: newest, messages, isCut: next !== null };
}
