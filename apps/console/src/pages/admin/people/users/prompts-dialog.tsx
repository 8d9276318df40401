import type { UserConversation } from '@parlance/client/types';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ErrorNote, Loaded } from '../../../../ui/states.tsx';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { audited } from '../../../../api/query-client.ts';
import { MessageParts } from '../message-parts.tsx';
import { PAGE_SIZE } from '../search.ts';

interface Props {
  readonly userId: string;
  readonly conversation: UserConversation;
  readonly onClose: () => void;
}

/** What a user has written in a conversation. */
export function PromptsDialog({ userId, conversation, onClose }: Props) {
  const { users: texts } = useAdminMessages().admin.people;
  const path = { userId, conversationId: conversation.conversation_id };
  const prompts = useInfiniteQuery({
    queryKey: ['admin', 'content', 'prompts', path],
    queryFn: ({ pageParam, signal }) =>
      parlance.api.get('/admin/users/{userId}/conversations/{conversationId}/prompts', {
        path,
        query: { limit: PAGE_SIZE, next_token: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_token }) => next_token ?? undefined,
    ...audited,
    // Every read adds an entry to the audit log.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Dialog
      title={conversation.title || texts.untitled}
      size="wide"
      isOpen
      onClose={onClose}
      footer={
        <CsvButton
          onDownload={() => downloadCsv(`/admin/users/${path.userId}/conversations/${path.conversationId}/prompts`, {}, 'prompts.csv')}
        />
      }
    >
      <p className="text-xs text-muted">{texts.promptsText}</p>
      <Loaded query={prompts}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.prompts);
          if (all.length === 0) return <p className="text-sm text-muted">{texts.noPrompts}</p>;
          return (
            <ol aria-label={texts.prompts} className="flex flex-col divide-y divide-line">
              {all.map(({ message_id, create_time, content }) => (
                <li key={message_id} className="flex flex-col gap-1 py-3 first:pt-0">
                  <time className="text-xs text-muted">{formatTime(create_time)}</time>
                  <MessageParts content={content} />
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
      {prompts.data !== undefined && prompts.error !== null && <ErrorNote error={prompts.error} />}
      {prompts.hasNextPage && (
        <Button className="self-start" isPending={prompts.isFetchingNextPage} onPress={() => void prompts.fetchNextPage()}>
          {texts.morePrompts}
        </Button>
      )}
    </Dialog>
  );
}
