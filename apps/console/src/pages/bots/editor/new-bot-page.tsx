import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../api/form-errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { mayCreateBots, useMe } from '../../../session/use-me.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState, ErrorNote } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { botChanged } from '../bot-queries.ts';
import { GeneralSection, InstructionSection } from './general-sections.tsx';
import type { Draft } from './draft.ts';
import { UnsavedGuard } from './unsaved-guard.tsx';

const EMPTY: Pick<Draft, 'title' | 'icon' | 'colour' | 'description' | 'instruction'> = {
  title: '',
  icon: null,
  colour: null,
  description: '',
  instruction: '',
};

export function NewBotPage() {
  const {
    common,
    bots: { editor, list },
  } = useMessages();
  const navigate = useNavigate();
  const me = useMe();
  const [draft, setDraft] = useState(EMPTY);
  const {
    isPending,
    error,
    send: create,
  } = useSending(async () => {
    // By default, answers show their sources.
    const bot = await parlance.bots.create({ ...draft, display_retrieved_chunks: true });
    botChanged(bot);
    await queryClient.invalidateQueries({ queryKey: ['bots'] });
    toast(editor.created);
    await navigate({ to: '/bots/$botId/knowledge', params: { botId: bot.id }, ignoreBlocker: true });
  });
  const isDirty = JSON.stringify(draft) !== JSON.stringify(EMPTY);

  if (!mayCreateBots(me))
    return (
      <Page title={editor.newTitle}>
        <EmptyState {...list.empty.mineNotAllowed} action={<LinkButton href="/store">{list.toStore}</LinkButton>} />
      </Page>
    );
  const change = (part: Partial<typeof EMPTY>) => setDraft((before) => ({ ...before, ...part }));
  const section = { draft: draft as Draft, change, errors: fieldErrors(error) };
  const problem = formError(error);
  return (
    <Page title={editor.newTitle} description={editor.newDescription}>
      <form onSubmit={create} className="flex flex-col gap-5">
        <GeneralSection {...section} />
        <InstructionSection {...section} />
        {problem !== null && <ErrorNote error={problem} />}
        <div className="flex justify-end gap-2">
          <LinkButton href="/bots">{common.cancel}</LinkButton>
          <Button type="submit" look="primary" isPending={isPending}>
            {editor.create}
          </Button>
        </div>
      </form>
      <UnsavedGuard isDirty={isDirty && !isPending} />
    </Page>
  );
}
