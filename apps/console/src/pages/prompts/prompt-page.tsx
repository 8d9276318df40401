import { ParlanceError } from '@parlance/client';
import type { Prompt } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../api/form-errors.ts';
import { usePromptMessages } from '../../messages/prompt-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { useMe } from '../../session/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { EmptyState, ErrorNote, Loaded } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { mayShare } from '../bots/bot-queries.ts';
import { isComplete, PromptFields } from './prompt-fields.tsx';
import { etagOf, promptChanged, promptDeleted, promptQuery } from './prompt-queries.ts';
import { PromptVersions } from './prompt-versions.tsx';
import { SharePromptDialog } from './share-prompt-dialog.tsx';

const route = getRouteApi('/signed-in/prompts/$promptId');

export function PromptPage() {
  const { promptId } = route.useParams();
  const texts = usePromptMessages();
  const query = useQuery(promptQuery(promptId));
  if (query.error instanceof ParlanceError && (query.error.status === 404 || query.error.status === 400))
    return <EmptyState title={texts.unknownTitle} text={texts.unknownText} />;
  return <Loaded query={query}>{(prompt) => <ShownPrompt prompt={prompt} />}</Loaded>;
}

function ShownPrompt({ prompt }: { readonly prompt: Prompt }) {
  const texts = usePromptMessages();
  const navigate = useNavigate();
  const isShareable = mayShare(useMe(), prompt);
  const [open, setOpen] = useState<'share' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const remove = async () => {
    await parlance.api.delete('/prompts/{promptId}', { path: { promptId: prompt.id } });
    toast(texts.deleted);
    await navigate({ to: '/prompts' });
    await promptDeleted(prompt.id);
  };
  const actions = isShareable && (
    <>
      <Button onPress={() => setOpen('share')}>{texts.share}</Button>
      <Button look="danger" onPress={() => setOpen('delete')}>
        {texts.deletePrompt}
      </Button>
    </>
  );
  return (
    <Page title={prompt.title} description={<code>/{prompt.command}</code>} actions={actions}>
      <Section title={texts.content} description={prompt.editable ? undefined : texts.viewerText}>
        {/* A restored version is shown in the fields. */}
        <PromptForm key={prompt.version} prompt={prompt} />
      </Section>
      <Section title={texts.variables}>
        <Variables variables={prompt.variables} />
      </Section>
      {isShareable && <PromptVersions prompt={prompt} />}
      {open === 'share' && <SharePromptDialog prompt={prompt} onClose={close} />}
      <ConfirmDialog
        title={texts.deleteTitle}
        text={texts.deleteText(prompt.title)}
        confirmLabel={texts.deletePrompt}
        isOpen={open === 'delete'}
        onClose={close}
        onConfirm={remove}
      />
    </Page>
  );
}

function PromptForm({ prompt }: { readonly prompt: Prompt }) {
  const texts = usePromptMessages();
  const { title, command, description, text } = prompt;
  const [draft, setDraft] = useState({ title, command, description, text });
  const { isPending, error, send } = useSending(async () => {
    const path = { promptId: prompt.id };
    await promptChanged(await parlance.api.patch('/prompts/{promptId}', { path, body: draft, ifMatch: etagOf(prompt) }));
    toast(texts.saved);
  });
  const errors = fieldErrors(error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {error !== null && Object.keys(errors).length === 0 && <ErrorNote error={error} />}
      <PromptFields draft={draft} onChange={setDraft} errors={errors} isReadOnly={!prompt.editable} />
      {prompt.editable && (
        <Button type="submit" look="primary" className="self-start" isPending={isPending} isDisabled={!isComplete(draft)}>
          {texts.save}
        </Button>
      )}
    </form>
  );
}

function Variables({ variables }: Pick<Prompt, 'variables'>) {
  const texts = usePromptMessages();
  if (variables.length === 0) return <p className="text-sm text-muted">{texts.noVariables}</p>;
  return (
    <ul aria-label={texts.variables} className="flex flex-col gap-1 text-sm">
      {variables.map(({ name, default: value, options }) => (
        <li key={name}>
          <code>{name}</code>
          <span className="text-muted">
            {' '}
            – {options.length > 0 ? texts.optionsOf(options) : value === null ? texts.required : texts.defaultOf(value)}
          </span>
        </li>
      ))}
    </ul>
  );
}
