import type { PromptSummary } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '../../messages/format.ts';
import { useMessages } from '../../messages/index.ts';
import { usePromptMessages } from '../../messages/prompt-messages.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/index.ts';
import { Page } from '../../ui/page.tsx';
import { Paged } from '../../ui/paging/paged.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { NewPromptDialog } from './new-prompt-dialog.tsx';
import { promptsQuery } from './prompt-queries.ts';
import { PROMPT_KINDS } from './prompts-search.ts';

const route = getRouteApi('/signed-in/prompts');

export function PromptsPage() {
  const texts = usePromptMessages();
  const [isCreating, setCreating] = useState(false);
  const search = route.useSearch();
  const { q, kind = 'all', token } = search;
  const prompts = useQuery(promptsQuery(search));
  const newPrompt = (
    <Button look="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {texts.create}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={newPrompt}>
      <PromptSearchField key={q ?? ''} query={q ?? ''} />
      <nav aria-label={texts.kinds.label} className="flex gap-1 overflow-x-auto border-b border-line">
        {PROMPT_KINDS.map((each) => (
          <Link
            key={each}
            to="/prompts"
            search={{ q, kind: each === 'all' ? undefined : each }}
            aria-current={each === kind ? 'page' : undefined}
            className="flex min-h-10 items-center border-b-2 border-transparent px-3 text-sm whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text max-sm:min-h-11"
          >
            {texts.kinds[each]}
          </Link>
        ))}
      </nav>
      <Paged query={prompts} token={token}>
        {({ prompts: rows, next_token: next }) => <PromptTable rows={rows} isSearch={q !== undefined} hasMore={next !== null} />}
      </Paged>
      {isCreating && <NewPromptDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function PromptSearchField({ query }: { readonly query: string }) {
  const { common } = useMessages();
  const texts = usePromptMessages();
  const navigate = useNavigate();
  const [text, setText] = useState(query);
  const { kind } = route.useSearch();
  const search = (q: string) => void navigate({ to: '/prompts', search: { kind, q: q.trim() === '' ? undefined : q.trim() } });
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(text);
      }}
      className="flex gap-2"
    >
      <SearchField
        label={texts.search}
        value={text}
        onChange={setText}
        onClear={() => search('')}
        maxLength={100}
        className="max-w-xl grow"
      />
      <Button type="submit">{common.search}</Button>
    </form>
  );
}

interface PromptTableProps {
  readonly rows: readonly PromptSummary[];
  readonly isSearch: boolean;
  readonly hasMore: boolean;
}

function PromptTable({ rows, isSearch, hasMore }: PromptTableProps) {
  const texts = usePromptMessages();
  const columns: Column<PromptSummary>[] = [
    {
      id: 'prompt',
      name: texts.prompt,
      cell: ({ id, title, description }) => (
        <div className="min-w-48 max-w-md py-0.5 max-sm:max-w-none">
          <Link to="/prompts/$promptId" params={{ promptId: id }} className="font-medium text-text hover:text-accent hover:underline">
            {title}
          </Link>
          {description !== '' && <p className="line-clamp-1 text-xs text-muted">{description}</p>}
        </div>
      ),
    },
    { id: 'command', name: texts.command, cell: ({ command }) => <code className="text-xs">/{command}</code> },
    { id: 'sharing', name: texts.sharing, cell: ({ shared_scope: scope }) => <Tag>{texts.scope[scope]}</Tag> },
    {
      id: 'changed',
      name: texts.changed,
      cell: ({ change_time: time }) => <span className="whitespace-nowrap">{formatDate(time)}</span>,
    },
  ];
  const empty = isSearch ? (
    <EmptyState title={texts.notFound} {...(hasMore && { text: texts.moreToSearch })} />
  ) : (
    <EmptyState title={texts.emptyTitle} text={texts.emptyText} />
  );
  return <Table hasCards label={texts.table} columns={columns} rows={rows} keyOf={({ id }) => id} empty={empty} />;
}
