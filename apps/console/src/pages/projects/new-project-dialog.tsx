import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { useProjectMessages } from '../../messages/project-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../ui/fields/index.ts';
import { toast } from '../../ui/toasts.tsx';
import { projectsChanged } from './project-queries.ts';

export function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const { common } = useMessages();
  const texts = useProjectMessages();
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [instruction, setInstruction] = useState('');
  const create = async () => {
    const { project_id: projectId } = await parlance.api.post('/projects', { body: { title: title.trim(), instruction } });
    await projectsChanged();
    toast(texts.created);
    onClose();
    await navigate({ to: '/projects/$projectId', params: { projectId } });
  };
  return (
    <FormDialog title={texts.create} onClose={onClose} submitLabel={common.save} onSubmit={create} isDisabled={title.trim() === ''}>
      {({ errorOf }) => (
        <>
          <TextField label={texts.title} value={title} onChange={setTitle} maxLength={100} error={errorOf('title')} isRequired autoFocus />
          <TextField
            label={texts.instruction}
            help={texts.instructionHelp}
            value={instruction}
            onChange={setInstruction}
            rows={5}
            maxLength={32_768}
            error={errorOf('instruction')}
          />
        </>
      )}
    </FormDialog>
  );
}
