import { ParlanceError } from '@parlance/client';
import type { BotSummary } from '@parlance/client/types';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronLeft, MessageSquarePlus, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link as AriaLink, ToggleButton } from 'react-aria-components';
import { fullName } from '../../app/full-name.ts';
import { starterTitle } from '../../messages/guide-starters.ts';
import { useMessages } from '../../messages/index.ts';
import { formatList, formatDate } from '../../messages/format.ts';
import { parlance } from '../../session/parlance.ts';
import { useConfig } from '../../session/use-me.ts';
import { buttonLook, LinkButton } from '../../ui/button.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { BotIcon } from '../bots/icon/bot-icon.tsx';
import { chatAddress } from './chat-address.ts';
import { personQuery, summaryQuery } from './store-queries.ts';

const route = getRouteApi('/signed-in/store/$botId');

export function BotPage() {
  const { botId } = route.useParams();
  const query = useQuery(summaryQuery(botId));
  if (query.error instanceof ParlanceError && query.error.status === 404) return <Missing />;
  return <Loaded query={query}>{(bot) => <Details bot={bot} />}</Loaded>;
}

function Missing() {
  const { store } = useMessages();
  return (
    <Page title={store.missingTitle} description={store.missingText}>
      <LinkButton href="/store" className="self-start">
        {store.missingAction}
      </LinkButton>
    </Page>
  );
}

function Details({ bot }: { readonly bot: BotSummary }) {
  const { store } = useMessages();
  const { id, title, description, editable, sync_status, conversation_quick_starters: starters } = bot;
  const note = sync_status === 'SUCCEEDED' ? null : sync_status === 'FAILED' ? store.knowledgeFailed : store.knowledgePending;
  return (
    <div>
      <div className="mx-auto w-full max-w-5xl px-6 pt-4 max-sm:px-4">
        <Link
          to="/store"
          search={{}}
          className="-ms-1 inline-flex min-h-8 items-center gap-1 text-sm text-muted hover:text-text max-sm:min-h-11"
        >
          <ChevronLeft aria-hidden className="size-4 rtl:rotate-180" />
          {store.toStore}
        </Link>
      </div>
      <Page
        title={title}
        icon={<BotIcon bot={bot} size="large" />}
        actions={
          <>
            {editable && <LinkButton href={`/bots/${id}/edit`}>{store.editBot}</LinkButton>}
            <StarButton bot={bot} />
            <LinkButton look="primary" href={chatAddress(id)}>
              <MessageSquarePlus aria-hidden className="size-4" />
              {store.startChat}
            </LinkButton>
          </>
        }
      >
        <p className="max-w-3xl text-sm whitespace-pre-line">{description || <span className="text-muted">{store.noDescription}</span>}</p>
        {bot.has_knowledge && note !== null && <p className="text-sm text-warn">{note}</p>}
        {starters.length > 0 && (
          <section className="flex flex-col gap-3">
            <h2 className="text-md font-semibold">{store.starters}</h2>
            <ul className="grid gap-3 sm:grid-cols-2">
              {starters.map((starter, index) => (
                <li key={index}>
                  <AriaLink
                    href={chatAddress(id, starter.example)}
                    className="flex h-full flex-col gap-1 rounded-md border border-line bg-raised p-4 hover:border-control hover:bg-surface"
                  >
                    <span className="text-sm font-medium">{starterTitle(title, starter.title)}</span>
                    <span className="line-clamp-3 text-xs text-muted">{starter.example}</span>
                  </AriaLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Facts bot={bot} />
      </Page>
    </div>
  );
}

function StarButton({ bot: { id, is_starred } }: { readonly bot: BotSummary }) {
  const { store } = useMessages();
  const client = useQueryClient();
  const star = useMutation({
    mutationFn: (starred: boolean) => parlance.api.patch('/bot/{botId}/starred', { path: { botId: id }, body: { starred } }),
    onError: toastError,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries(summaryQuery(id)),
        client.invalidateQueries({ queryKey: ['store'] }),
        client.invalidateQueries({ queryKey: ['bots'] }),
      ]),
  });
  const isStarred = star.isPending ? star.variables : is_starred;
  return (
    <ToggleButton isSelected={isStarred} onChange={(starred) => star.mutate(starred)} className={buttonLook('secondary')}>
      <Star aria-hidden className={`size-4 ${isStarred ? 'fill-current text-warn' : ''}`} />
      {store.star}
    </ToggleButton>
  );
}

function Facts({ bot }: { readonly bot: BotSummary }) {
  const { common, store } = useMessages();
  const owner = useQuery({ ...personQuery(bot.owner_user_id), enabled: !bot.owned });
  const config = useConfig().data;
  const nameOf = (id: string) => config?.global_available_models.find((model) => model.id === id)?.name ?? id;
  const ownerName = owner.data ? fullName(owner.data) : null;
  return (
    <Section title={store.about}>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[max-content_1fr]">
        <Fact name={store.owner}>{bot.owned ? store.ownerYou : owner.isPending ? common.loading : ownerName || store.ownerUnknown}</Fact>
        <Fact name={store.knowledge}>{bot.has_knowledge ? store.withKnowledge : store.withoutKnowledge}</Fact>
        <Fact name={store.models}>{bot.active_models.length === 0 ? store.allModels : formatList(bot.active_models.map(nameOf))}</Fact>
        <Fact name={store.sharedWith}>{store.scopes[bot.shared_scope]}</Fact>
        {bot.is_publication && <Fact name={store.published}>{store.isPublished}</Fact>}
        <Fact name={store.created}>{formatDate(bot.create_time)}</Fact>
      </dl>
    </Section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted max-sm:-mb-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
