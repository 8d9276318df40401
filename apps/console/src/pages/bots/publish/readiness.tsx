import type { Bot } from '@parlance/client/types';
import { Check, X } from 'lucide-react';
import { useMessages } from '../../../messages/index.ts';
import { mayPublish, useMe } from '../../../session/use-me.ts';
import { Section } from '../../../ui/page.tsx';

/** The server's conditions for publishing a bot. */
export function useReadiness(bot: Bot) {
  const me = useMe();
  const { checks } = useMessages().bots.publish;
  const list = [
    { id: 'shared', isMet: bot.shared_scope === 'all', text: checks.shared, help: checks.sharedHelp },
    { id: 'synced', isMet: bot.sync_status === 'SUCCEEDED', text: checks.synced, help: checks.syncedHelp },
    { id: 'right', isMet: mayPublish(me), text: checks.right, help: checks.rightHelp },
  ];
  return { list, isReady: list.every(({ isMet }) => isMet) };
}

export function Readiness({ list }: Pick<ReturnType<typeof useReadiness>, 'list'>) {
  const { publish } = useMessages().bots;
  return (
    <Section title={publish.readiness} description={publish.readinessText}>
      <ul className="flex flex-col gap-2">
        {list.map(({ id, isMet, text, help }) => (
          <li key={id} className="flex items-start gap-2 text-sm">
            {isMet ? (
              <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-ok" />
            ) : (
              <X aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
            )}
            <span>
              {text}
              <span className="sr-only"> ({isMet ? publish.met : publish.notMet})</span>
              {!isMet && <span className="block text-xs text-muted">{help}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
