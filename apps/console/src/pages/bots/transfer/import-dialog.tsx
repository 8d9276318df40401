import type { BotImport } from '@parlance/client/types';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { queryClient } from '../../../api/query-client.ts';
import { useBotTransferMessages } from '../../../messages/bot-transfer-messages.ts';
import { reasonText } from '../../../messages/reason-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Loading } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { type CheckedImport, checkedImport, importBot } from './bot-import.ts';

const TYPES = ['.yaml', '.yml', '.zip', 'application/yaml', 'application/zip'];

/** Creates a bot from a file after the user has seen what is not imported. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useBotTransferMessages();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [checked, setChecked] = useState<CheckedImport | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const isChecking = file !== null && checked === null && problem === null;
  const check = async (chosen: File) => {
    setFile(chosen);
    setChecked(null);
    setProblem(null);
    try {
      const its = await checkedImport(chosen);
      if (its === null) setProblem(texts.tooLarge);
      else setChecked(its);
    } catch (failure) {
      setProblem(failure);
    }
  };
  const create = async () => {
    if (checked === null) return;
    setProblem(null);
    try {
      const { bot } = await importBot(checked.source);
      await queryClient.invalidateQueries({ queryKey: ['bots'] });
      toast(texts.imported);
      if (bot !== null) await navigate({ to: '/bots/$botId/edit', params: { botId: bot.id } });
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <FormDialog
      title={texts.importTitle}
      onClose={onClose}
      submitLabel={texts.create}
      onSubmit={create}
      isDisabled={checked === null}
      otherError={problem}
    >
      {({ isPending }) => (
        <>
          <p className="text-sm text-muted">{texts.importText}</p>
          <div>
            <FileTrigger acceptedFileTypes={TYPES} onSelect={(files) => files?.[0] && void check(files[0])}>
              <Button isDisabled={isChecking || isPending}>{file === null ? texts.choose : texts.chooseAnother}</Button>
            </FileTrigger>
          </div>
          {isChecking && <Loading label={texts.checking(file.name)} />}
          <div role="status" className="flex flex-col gap-3 empty:hidden">
            {checked !== null && <Report report={checked.report} />}
          </div>
        </>
      )}
    </FormDialog>
  );
}

function Report({ report: { configuration, left_out } }: { readonly report: BotImport }) {
  const texts = useBotTransferMessages();
  const { title, description, knowledge } = configuration;
  const files = knowledge?.filenames.length ?? 0;
  return (
    <>
      <div>
        <p className="text-sm font-medium">{texts.ready(title)}</p>
        {description !== '' && <p className="text-sm text-muted">{description}</p>}
        {files > 0 && <p className="text-sm text-muted">{texts.files(files)}</p>}
      </div>
      {left_out.length === 0 ? (
        <p className="text-sm">{texts.allTaken}</p>
      ) : (
        <>
          <p className="text-sm font-medium">{texts.leftOut}</p>
          <Table
            label={texts.leftOut}
            rows={left_out}
            keyOf={({ field, value, reason }) => `${field}\n${value}\n${reason}`}
            columns={[
              { id: 'field', name: texts.field, cell: ({ field }) => <span className="font-mono text-xs">{field}</span> },
              { id: 'value', name: texts.value, cell: ({ value }) => <span className="break-all">{value}</span> },
              { id: 'reason', name: texts.reason, cell: ({ reason, detail }) => reasonText(reason, detail) },
            ]}
          />
        </>
      )}
    </>
  );
}
