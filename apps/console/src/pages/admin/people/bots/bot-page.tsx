import { ParlanceError } from '@parlance/client';
import type { PublicBot } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { buttonLook, LinkButton } from '../../../../ui/button.tsx';
import { Facts } from '../../../../ui/facts.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { Page, Section } from '../../../../ui/page.tsx';
import { ErrorNote } from '../../../../ui/states.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { publicBotQuery, userQuery } from '../queries.ts';
import { DEFAULT_DAYS } from '../search.ts';
import { DaysChoice } from './days-choice.tsx';
import { nameOf } from '../user-names.ts';
import { BotFigures } from './bot-figures.tsx';
import { BotSatisfactionSection } from './bot-satisfaction.tsx';
import { PopularQueries } from './popular-queries.tsx';
import { orderOf } from './pin-order.ts';

const route = getRouteApi('/signed-in/admin/bots/$botId');

/** The figures of a bot. They stay when the bot is deleted. */
export function BotPage() {
  const { bots: texts } = useAdminMessages().admin.people;
  const { botId } = route.useParams();
  const { days = DEFAULT_DAYS } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: bot, error } = useQuery(publicBotQuery(botId));
  const isGone = error instanceof ParlanceError && error.status === 404;
  return (
    <Page
      title={bot?.title ?? (isGone ? texts.privateBot : texts.bot)}
      description={bot?.description || undefined}
      isWide
      actions={
        <>
          <DaysChoice days={days} onChoose={(chosen) => navigate({ search: { days: chosen }, replace: true })} />
          <Link to="/admin/audit" search={{ resource_type: 'bot', resource_id: botId }} className={buttonLook()}>
            {texts.audit}
          </Link>
          {bot !== undefined && <LinkButton href={`/bots/${botId}`}>{texts.openBot}</LinkButton>}
        </>
      }
    >
      {isGone && <p className="text-sm text-muted">{texts.notShared}</p>}
      {error !== null && !isGone && <ErrorNote error={error} />}
      <BotFigures botId={botId} days={Number(days)} />
      <div className="grid grid-cols-2 items-start gap-5 max-lg:grid-cols-1">
        <PopularQueries botId={botId} days={Number(days)} />
        <BotSatisfactionSection botId={botId} days={days} />
      </div>
      {bot !== undefined && <BotFacts bot={bot} />}
    </Page>
  );
}

function BotFacts({ bot }: { readonly bot: PublicBot }) {
  const { bots: texts } = useAdminMessages().admin.people;
  const { data: owner } = useQuery(userQuery(bot.owner_user_id));
  return (
    <Section
      title={texts.facts}
      actions={
        <span className="flex flex-wrap gap-1">
          {orderOf(bot.status) !== null && <Tag tone="accent">{texts.pinned}</Tag>}
          {bot.is_publication && <Tag tone="ok">{texts.published}</Tag>}
          {bot.sync_status === 'FAILED' && <Tag tone="bad">{texts.syncFailed}</Tag>}
        </span>
      }
    >
      <Facts
        facts={[
          [
            texts.owner,
            <Link to="/admin/users/$userId" params={{ userId: bot.owner_user_id }} className={linkLook}>
              {(owner && nameOf(owner)) ?? bot.owner_user_id}
            </Link>,
          ],
          [texts.scope, texts.scopes[bot.shared_scope]],
          [texts.syncReason, bot.sync_status_reason],
          [texts.botId, <code className="font-mono text-xs">{bot.id}</code>],
        ]}
      />
    </Section>
  );
}
