import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { usePromptMessages } from '../../messages/prompt-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { isComplete, PromptFields } from './prompt-fields.tsx';
import { promptChanged } from './prompt-queries.ts';

export function NewPromptDialog({ onClose }: { readonly onClose: () => void }) {
  const { common } = useMessages();
  const texts = usePromptMessages();
  const navigate = useNavigate();
  const [draft, setDraft] = useState({ title: '', command: '', description: '', text: '' });
  const create = async () => {
    const prompt = await parlance.api.post('/prompts', { body: draft });
    await promptChanged(prompt);
    toast(texts.created);
    onClose();
    await navigate({ to: '/prompts/$promptId', params: { promptId: prompt.id } });
  };
  return (
    <FormDialog title={texts.create} onClose={onClose} submitLabel={common.save} onSubmit={create} isDisabled={!isComplete(draft)}>
      {({ errorOf }) => (
        <PromptFields
          draft={draft}
          onChange={setDraft}
          errors={{ title: errorOf('title'), command: errorOf('command'), description: errorOf('description'), text: errorOf('text') }}
        />
      )}
    </FormDialog>
  );
}
