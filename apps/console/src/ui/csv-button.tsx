import { Download } from 'lucide-react';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { Button } from './button.tsx';
import { toastError } from './toasts.tsx';

/** Downloads a list as CSV. */
export function CsvButton({ onDownload }: { readonly onDownload: () => Promise<void> }) {
  const { common } = useMessages();
  const [isPending, setPending] = useState(false);
  const download = async () => {
    setPending(true);
    await onDownload().catch(toastError);
    setPending(false);
  };
  return (
    <Button isPending={isPending} onPress={() => void download()}>
      <Download aria-hidden className="size-4" />
      {common.downloadCsv}
    </Button>
  );
}
