import type { Bot, BotVersionPage } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Select } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { usePaging } from '../../../ui/paging/use-paging.ts';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { Pager } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { botChanged, etagOf, useBot, useMayShare } from '../bot-queries.ts';
import { Comparison } from './comparison.tsx';
import { VersionTable } from './version-table.tsx';

const route = getRouteApi('/signed-in/bots/$botId/history');
const ROWS = 50;

export function HistoryPage() {
  const {
    bots: { header, history },
  } = useMessages();
  const { botId } = route.useParams();
  const { token } = route.useSearch();
  const navigate = route.useNavigate();
  const bot = useBot(botId);
  const mayShare = useMayShare(bot);
  const versions = useQuery({
    queryKey: ['bot', botId, 'history', token ?? null],
    queryFn: () =>
      parlance.api.get('/bot/{botId}/history', {
        path: { botId },
        query: { limit: ROWS, ...(token !== undefined && { next_token: token }) },
      }),
    enabled: mayShare,
  });
  const pager = usePaging(token, versions.data?.next_token, versions.error);
  if (!mayShare) return <EmptyState title={header.ownerOnlyTitle} text={header.ownerOnlyText} />;
  return (
    <div className="flex max-w-5xl flex-col gap-5">
      <Loaded query={versions}>
        {(data) => (
          <>
            <Compared bot={bot} versions={data.versions} />
            <Section title={history.title} description={history.text}>
              <VersionTable
                versions={data.versions}
                current={bot.version}
                onCompare={(version) => void navigate({ search: (search) => ({ ...search, version, with: undefined }) })}
              />
              <Pager {...pager} />
            </Section>
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Compares the version in the address with the current or another one. */
function Compared({ bot, versions }: { readonly bot: Bot } & Pick<BotVersionPage, 'versions'>) {
  const {
    common,
    bots: { history },
  } = useMessages();
  const { version, with: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const [isAsking, setAsking] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  // The comparison appears above the list with the pressed button.
  useEffect(() => {
    if (version !== undefined) top.current?.focus();
  }, [version]);
  if (version === undefined) return null;

  // The current version is compared with the one before it.
  const other = chosen ?? (version === bot.version ? (versions.find((each) => each.version < version)?.version ?? version) : bot.version);
  const close = () => navigate({ search: (search) => ({ ...search, version: undefined, with: undefined }) });
  const restore = async () => {
    const path = { botId: bot.id };
    botChanged(await parlance.api.post('/bot/{botId}/restore', { path, body: { version }, ifMatch: etagOf(bot) }));
    toast(history.restored);
    await close();
  };
  const [from, to] = version < other ? [version, other] : [other, version];
  const others = [...new Set([bot.version, other, ...versions.map((each) => each.version)])].filter((each) => each !== version);
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <Section
        title={history.compareTitle(from, to)}
        actions={
          <div className="flex flex-wrap items-end gap-2">
            {version !== bot.version && <Button onPress={() => setAsking(true)}>{history.restore}</Button>}
            <Button look="quiet" onPress={() => void close()}>
              {common.close}
            </Button>
          </div>
        }
      >
        <Select
          label={history.compareWith}
          className="w-64 max-sm:w-full"
          value={String(other)}
          options={others.map((each) => ({
            id: String(each),
            name: each === bot.version ? history.currentVersion(each) : history.versionName(each),
          }))}
          onChange={(id) => void navigate({ search: (search) => ({ ...search, with: Number(id) }) })}
        />
        <Comparison botId={bot.id} from={from} to={to} />
      </Section>
      <ConfirmDialog
        title={history.restoreTitle(version)}
        text={history.restoreText}
        confirmLabel={history.restore}
        isDanger={false}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={restore}
      />
    </div>
  );
}
