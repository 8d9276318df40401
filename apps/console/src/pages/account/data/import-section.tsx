import type { ConversationImport } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote, Loading } from '../../../ui/states.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { importAll } from './conversation-import.ts';
import { ImportReport } from './import-report.tsx';
import { importOf, isTooLarge } from './send-import.ts';

const TYPES = ['.json', '.zip', 'application/json', 'application/zip'];

/** Imports conversations from a file after the user has seen what would be imported. */
export function ImportSection() {
  const { data: texts } = useAccountMessages();
  const cache = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<ConversationImport | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [imported, setImported] = useState(0);
  const { isPending, error, send, forgetError } = useSending(async () => {
    if (file === null) return;
    setImported(0);
    try {
      setReport(await importAll(() => importOf(file, false), setImported));
    } finally {
      await cache.invalidateQueries({ queryKey: ['chats'] });
    }
  });
  const check = async (chosen: File) => {
    setFile(chosen);
    setReport(null);
    setProblem(null);
    forgetError();
    if (isTooLarge(chosen)) setProblem(texts.tooLarge);
    else await importOf(chosen, true).then(setReport, setProblem);
  };
  const isChecking = file !== null && report === null && problem === null;
  return (
    <Section title={texts.importTitle} description={texts.importText}>
      <div>
        <FileTrigger acceptedFileTypes={TYPES} onSelect={(files) => files?.[0] && void check(files[0])}>
          <Button isDisabled={isChecking || isPending}>{file === null ? texts.choose : texts.chooseAnother}</Button>
        </FileTrigger>
      </div>
      {isChecking && <Loading label={texts.reading(file.name)} />}
      {problem !== null && <ErrorNote error={problem} />}
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {report !== null && !isPending && <ImportReport report={report} />}
      </div>
      {isPending && <Loading label={texts.importing(imported)} />}
      {error !== null && <ErrorNote error={error} />}
      {report !== null && isLeft(report) && (
        <Button look="primary" isPending={isPending} onPress={() => send()} className="self-start">
          {report.dry_run && report.imported > 0 ? texts.start(report.imported) : texts.goOn}
        </Button>
      )}
    </Section>
  );
}

/** Whether another request may import more. */
const isLeft = ({ dry_run, imported, is_complete }: ConversationImport): boolean => !is_complete || (dry_run && imported > 0);
