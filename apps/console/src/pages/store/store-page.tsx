import type { BotItemPage } from '@parlance/client/types';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isIndexing } from '../bots/shelf/shelf-queries.ts';
import { useBotChoiceMessages } from '../../messages/bot-choice-messages.ts';
import { useMessages } from '../../messages/index.ts';
import { mayCreateBots, useMe } from '../../session/use-me.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/index.ts';
import { linkInLineLook } from '../../ui/link-look.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { BotCards } from './bot-cards.tsx';
import { BotPages } from './bot-pages.tsx';
import { listQuery, PREVIEWED, searchQuery } from './store-queries.ts';
import { type List, LISTS } from './store-search.ts';

const route = getRouteApi('/signed-in/store');

export function StorePage() {
  const { store } = useMessages();
  const { q, list, token } = route.useSearch();
  return (
    <Page title={store.title} description={store.description}>
      <StoreSearchField key={q ?? ''} query={q ?? ''} />
      {q !== undefined ? <Results query={q} token={token} /> : list !== undefined ? <WholeList list={list} token={token} /> : <Lists />}
    </Page>
  );
}

function StoreSearchField({ query }: { readonly query: string }) {
  const { common, store } = useMessages();
  const navigate = useNavigate();
  const [text, setText] = useState(query);
  const search = (q: string) => void navigate({ to: '/store', search: q.trim() === '' ? {} : { q: q.trim() } });
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
        label={store.search}
        placeholder={store.searchHelp}
        value={text}
        onChange={setText}
        onClear={() => search('')}
        className="max-w-xl grow"
      />
      <Button type="submit">{common.search}</Button>
    </form>
  );
}

function Results({ query, token }: { readonly query: string; readonly token: string | undefined }) {
  const { store } = useMessages();
  const found = useQuery(searchQuery(query, token));
  return (
    <ListSection title={store.resultsFor(query)} action={<StoreLink>{store.clear}</StoreLink>}>
      <BotPages
        query={found}
        label={store.resultsFor(query)}
        empty={<EmptyState title={store.noResults(query)} text={store.noResultsText} />}
        token={token}
      />
    </ListSection>
  );
}

function WholeList({ list, token }: { readonly list: List; readonly token: string | undefined }) {
  const { common, store } = useMessages();
  const found = useQuery(listQuery(list, token));
  return (
    <ListSection title={store.lists[list]} text={store.listTexts[list]} action={<StoreLink>{common.back}</StoreLink>}>
      <BotPages query={found} label={store.lists[list]} empty={<EmptyState title={store.emptyList} />} token={token} />
    </ListSection>
  );
}

function Lists() {
  const { store } = useMessages();
  const me = useMe();
  const lists = useQueries({ queries: LISTS.map((list) => listQuery(list, undefined, PREVIEWED)) });
  if (lists.every(({ data }) => data?.bots.length === 0)) {
    return (
      <EmptyState
        title={store.emptyTitle}
        text={store.emptyText}
        action={mayCreateBots(me) && <LinkButton href="/bots/new">{store.makeBot}</LinkButton>}
      />
    );
  }
  return LISTS.map((list, index) => <Preview key={list} list={list} query={lists[index]!} />);
}

/** The first bots of a list. A list without bots is not shown. */
function Preview({ list, query }: { readonly list: List; readonly query: UseQueryResult<BotItemPage> }) {
  const { store } = useMessages();
  const { preparing } = useBotChoiceMessages();
  const { data, error, isPending, failureReason } = query;
  if (data?.bots.length === 0) return null;
  return (
    <ListSection
      title={store.lists[list]}
      text={store.listTexts[list]}
      action={
        data?.next_token && (
          <Link to="/store" search={{ list }} aria-label={store.showAllOf(store.lists[list])} className={linkInLineLook}>
            {store.showAll}
          </Link>
        )
      }
    >
      {isPending && (isIndexing(failureReason) ? <Loading label={preparing} /> : <Loading />)}
      {data === undefined && !isPending && <ErrorState error={error} onRetry={() => void query.refetch()} />}
      {data !== undefined && <BotCards bots={data.bots} label={store.lists[list]} />}
    </ListSection>
  );
}

function StoreLink({ children }: { readonly children: ReactNode }) {
  return (
    <Link to="/store" search={{}} className={linkInLineLook}>
      {children}
    </Link>
  );
}

function ListSection(props: { readonly title: string; readonly text?: string; readonly action?: ReactNode; readonly children: ReactNode }) {
  const { title, text, action, children } = props;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 className="min-w-0 text-md font-semibold max-sm:grow">{title}</h2>
        <p className="min-w-0 grow text-xs text-muted max-sm:order-last max-sm:basis-full">{text}</p>
        {action}
      </div>
      {children}
    </section>
  );
}
