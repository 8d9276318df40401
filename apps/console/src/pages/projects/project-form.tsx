import type { Project } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/form-errors.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMessages } from '../../messages/index.ts';
import { useProjectMessages } from '../../messages/project-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { useConfig } from '../../session/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/fields/index.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { projectQuery, projectsQuery } from './project-queries.ts';

const NONE = '';

/** The settings of a project. Viewers see them. */
export function ProjectForm({ project }: { readonly project: Project }) {
  const { common } = useMessages();
  const texts = useProjectMessages();
  const isViewer = project.role === 'viewer';
  const [title, setTitle] = useState(project.title);
  const [instruction, setInstruction] = useState(project.instruction);
  const [model, setModel] = useState(project.model ?? NONE);
  const [bot, setBot] = useState(project.bot_id ?? NONE);
  const models = useConfig().data?.global_available_models ?? [];
  const bots = useQuery({ queryKey: ['bots', 'own-for-projects'], queryFn: () => parlance.api.get('/bot', { query: { limit: 100 } }) });
  const botNames = (bots.data?.bots ?? []).map(({ id, title: name }) => ({ id, name }));
  const { isPending, error, send } = useSending(async () => {
    const { project_id: projectId } = project;
    const body = { title: title.trim(), instruction, model: model === NONE ? null : model, bot_id: bot === NONE ? null : bot };
    const changed = await parlance.api.patch('/projects/{projectId}', { path: { projectId }, body });
    queryClient.setQueryData(projectQuery(projectId).queryKey, changed);
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
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
      <TextField label={texts.title} value={title} onChange={setTitle} maxLength={100} error={errors['title']} isReadOnly={isViewer} />
      <TextField
        label={texts.instruction}
        help={texts.instructionHelp}
        value={instruction}
        onChange={setInstruction}
        rows={8}
        maxLength={32_768}
        error={errors['instruction']}
        isReadOnly={isViewer}
      />
      <Select
        label={texts.model}
        value={model}
        onChange={setModel}
        options={withNone(texts.noModel, models, model)}
        error={errors['model']}
        isDisabled={isViewer}
      />
      <Select
        label={texts.bot}
        value={bot}
        onChange={setBot}
        options={withNone(texts.noBot, botNames, bot)}
        error={errors['bot_id']}
        isDisabled={isViewer}
      />
      {!isViewer && (
        <Button type="submit" look="primary" className="self-start" isPending={isPending} isDisabled={title.trim() === ''}>
          {common.save}
        </Button>
      )}
    </form>
  );
}

/** The choices, with the current one even if the user may not use it. */
function withNone(none: string, choices: readonly { readonly id: string; readonly name: string }[], current: string) {
  const isMissing = current !== NONE && choices.every(({ id }) => id !== current);
  return [
    { id: NONE, name: none },
    ...choices.map(({ id, name }) => ({ id, name })),
    ...(isMissing ? [{ id: current, name: current }] : []),
  ];
}
