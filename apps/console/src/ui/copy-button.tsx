import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { toastError } from './toasts.tsx';

const SHOWN_MILLIS = 2_000;

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { common } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return toastError(common.copyFailed);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MILLIS);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button size="small" look="quiet" onPress={() => void copy()}>
      <Icon aria-hidden className="size-4" />
      {isCopied ? common.copied : (label ?? common.copy)}
    </Button>
  );
}
