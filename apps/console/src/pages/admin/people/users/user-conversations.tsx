import type { UserConversation } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { formatMoney, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { Section } from '../../../../ui/page.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { audited } from '../../../../api/query-client.ts';
import { PAGE_SIZE } from '../search.ts';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { PromptsDialog } from './prompts-dialog.tsx';

const route = getRouteApi('/signed-in/admin/users/$userId');

/** Shown only on request, because each view is recorded in the audit log. */
export function UserConversations({ userId }: { readonly userId: string }) {
  const { users: texts } = useAdminMessages().admin.people;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Section
      title={texts.conversations}
      description={texts.conversationsText}
      actions={
        search.conversations === true && (
          <CsvButton onDownload={() => downloadCsv(`/admin/users/${userId}/conversations`, {}, 'conversations.csv')} />
        )
      }
    >
      {search.conversations === true ? (
        <ConversationPages userId={userId} />
      ) : (
        <Button
          className="self-start"
          onPress={() => void navigate({ search: { conversations: true }, replace: true, resetScroll: false })}
        >
          {texts.showConversations}
        </Button>
      )}
    </Section>
  );
}

function ConversationPages({ userId }: { readonly userId: string }) {
  const { people } = useAdminMessages().admin;
  const { users: texts } = people;
  const { token } = route.useSearch();
  const [opened, setOpened] = useState<UserConversation | null>(null);
  const conversations = useQuery({
    queryKey: ['admin', 'content', 'conversations', userId, token],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/users/{userId}/conversations', {
        path: { userId },
        query: { limit: PAGE_SIZE, next_token: token },
        signal,
      }),
    placeholderData: keepPreviousData,
    ...audited,
    // Every read adds an entry to the audit log.
    staleTime: Infinity,
    gcTime: 0,
  });
  const columns: readonly Column<UserConversation>[] = [
    {
      id: 'title',
      name: texts.title,
      cell: ({ title }) => <div className="min-w-48">{title || <span className="text-muted">{texts.untitled}</span>}</div>,
    },
    { id: 'started', name: texts.started, cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span> },
    {
      id: 'bot',
      name: texts.bot,
      cell: ({ bot_id, bot_title }) =>
        bot_id !== null && (
          <Link to="/admin/bots/$botId" params={{ botId: bot_id }} className={linkLook}>
            {bot_title ?? people.unknownBot}
          </Link>
        ),
    },
    { id: 'cost', name: texts.cost, align: 'end', cell: ({ total_price }) => formatMoney(total_price) },
    {
      id: 'prompts',
      name: texts.prompts,
      isNameHidden: true,
      align: 'end',
      cell: (conversation) => (
        <Button size="small" aria-label={texts.showPrompts(conversation.title || texts.untitled)} onPress={() => setOpened(conversation)}>
          {texts.prompts}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Paged query={conversations} token={token} resetScroll={false}>
        {(page) => (
          <Table
            label={texts.conversationsLabel}
            columns={columns}
            rows={page.conversations}
            keyOf={({ conversation_id }) => conversation_id}
            empty={<p className="text-sm text-muted">{texts.noConversations}</p>}
          />
        )}
      </Paged>
      {opened !== null && <PromptsDialog userId={userId} conversation={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
