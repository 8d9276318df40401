import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { useProjectMessages } from '../../../messages/project-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Select, TextField } from '../../../ui/fields/index.ts';
import { ErrorNote } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { moveChat, projectsChanged, projectsQuery } from '../../projects/project-queries.ts';
import type { ListedChat } from './listed-chat.ts';

const NONE = 'none';
const NEW = 'new';

/** Moves a chat into a project, into a new one, or out of its project. */
export function ProjectDialog({ chat, onClose }: { readonly chat: ListedChat; readonly onClose: () => void }) {
  const { common } = useMessages();
  const texts = useProjectMessages();
  const projects = useQuery(projectsQuery);
  const [chosen, setChosen] = useState<string>(chat.projectId ?? NONE);
  const [title, setTitle] = useState('');
  const options = [
    { id: NONE, name: texts.noProject },
    ...(projects.data ?? []).map((each) => ({ id: each.project_id, name: each.title })),
    { id: NEW, name: texts.newProject },
  ];
  const save = async () => {
    const created = chosen === NEW ? await parlance.api.post('/projects', { body: { title: title.trim() } }) : null;
    await moveChat(chat.id, created?.project_id ?? (chosen === NONE ? null : chosen));
    if (created) await projectsChanged();
    toast(texts.moved);
    onClose();
  };
  return (
    <FormDialog
      title={texts.move}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={save}
      isLoading={projects.isPending}
      isDisabled={chosen === NEW && title.trim() === ''}
    >
      {({ errorOf }) => (
        <>
          {projects.error !== null && <ErrorNote error={projects.error} />}
          <Select label={texts.project} value={chosen} onChange={setChosen} options={options} />
          {chosen === NEW && (
            <TextField label={texts.title} value={title} onChange={setTitle} maxLength={100} error={errorOf('title')} autoFocus />
          )}
        </>
      )}
    </FormDialog>
  );
}
