import { Suspense } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { isAdmin, useMe } from '../../../session/use-me.ts';
import { Section } from '../../../ui/page.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const BotBudgets = lazyPart(() => import('./bot-budgets.tsx'), 'BotBudgets');

/** The budgets of a bot, which only administrators see and set. They are not part of the draft: each is saved separately. */
export function BudgetSection({ botId }: { readonly botId: string }) {
  const { settings } = useMessages().bots;
  const me = useMe();
  if (isAdmin(me))
    return (
      <Suspense>
        <BotBudgets botId={botId} />
      </Suspense>
    );
  return (
    <Section title={settings.budget} description={settings.budgetText}>
      <p className="text-sm text-muted">{settings.budgetForAdmins}</p>
    </Section>
  );
}
