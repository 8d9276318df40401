import type { PrivateBot } from '@parlance/client/types';
import { MessageSquareText } from 'lucide-react';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { fieldErrors, isStale } from '../../../api/form-errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { botChanged, etagOf, privateBotQuery } from '../bot-queries.ts';
import { changesOf, type Draft, draftOf, isChanged } from './draft.ts';
import { GeneralSection, InstructionSection, StartersSection } from './general-sections.tsx';
import { BudgetSection } from './budget-section.tsx';
import { GuardrailsSection } from './guardrails-section.tsx';
import { KnowledgeSection } from './knowledge-section.tsx';
import { ModelSection } from './model-section.tsx';
import { SaveBar } from './save-bar.tsx';
import { ToolsSection } from './tools-section.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const TryPanel = lazyPart(() => import('./try-panel.tsx'), 'TryPanel');

/** The configuration of a saved bot. A draft keeps the version it started from, so that a newer one is not overwritten. */
export function BotForm({ bot }: { readonly bot: PrivateBot }) {
  const { editor } = useMessages().bots;
  const [base, setBase] = useState(bot);
  const [draft, setDraft] = useState<Draft>(() => draftOf(bot));
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isTrying, setTrying] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isDirty = isChanged(draft, draftOf(base));

  const begin = (newest: PrivateBot) => {
    setBase(newest);
    setDraft(draftOf(newest));
    setError(null);
  };
  if (bot.version > base.version) {
    if (!isDirty) begin(bot);
    // Sharing also creates a version, but changes nothing that is edited here.
    else if (!isChanged(draftOf(bot), draftOf(base))) setBase(bot);
  }

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return;
    setPending(true);
    setError(null);
    const sent = draft;
    try {
      const saved = await parlance.bots.change(base.id, changesOf(draft, draftOf(base)), { ifMatch: etagOf(base) });
      botChanged(saved);
      setBase(saved);
      // Keeps text that was typed meanwhile.
      setDraft((now) => (now === sent ? draftOf(saved) : now));
      toast(editor.saved);
    } catch (failure) {
      setError(failure);
      // Runs after the errors are shown at their fields.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[data-invalid] input, [data-invalid] textarea')?.focus());
    } finally {
      setPending(false);
    }
  };
  const reload = async () => begin(await queryClient.fetchQuery({ ...privateBotQuery(base.id), staleTime: 0 }));

  const errors = fieldErrors(error);
  const section = { draft, change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })), errors };
  return (
    <div className={isTrying ? 'grid grid-cols-[minmax(0,1fr)_24rem] items-start gap-5 max-xl:grid-cols-1' : ''}>
      <form
        ref={form}
        onSubmit={(event) => void save(event)}
        className={`flex min-w-0 flex-col gap-5 ${isTrying ? '' : 'max-w-4xl'}`}
        noValidate
      >
        {!isTrying && (
          <Button className="self-start" onPress={() => setTrying(true)}>
            <MessageSquareText aria-hidden className="size-4" />
            {editor.try.open}
          </Button>
        )}
        <GeneralSection {...section} saved={bot} />
        <InstructionSection {...section} />
        <StartersSection {...section} />
        <ModelSection {...section} isOwner={bot.owned} />
        <ToolsSection {...section} />
        <KnowledgeSection {...section} />
        <GuardrailsSection {...section} />
        <BudgetSection botId={base.id} />
        {error !== null && !isStale(error) && (
          <ErrorNote error={error} {...(Object.keys(errors).length > 0 && { title: editor.fieldErrors })} />
        )}
        {isStale(error) && (
          <div role="alert" className="flex flex-col items-start gap-3 rounded-md border border-warn p-3 text-sm">
            <p>{editor.stale}</p>
            <Button onPress={() => void reload().catch(setError)}>{editor.reload}</Button>
          </div>
        )}
        <SaveBar isDirty={isDirty} isPending={isPending} onDiscard={() => begin(bot)} />
      </form>
      {isTrying && (
        <Suspense>
          <TryPanel botId={base.id} isDirty={isDirty} onClose={() => setTrying(false)} />
        </Suspense>
      )}
      <UnsavedGuard isDirty={isDirty} />
    </div>
  );
}
