import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { Button, IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';
import { toastError } from './toasts.tsx';

const SHOWN_MILLIS = 2_000;

function useCopying(text: string) {
  const { common } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return toastError(common.copyFailed);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MILLIS);
  };
  return { isCopied, Icon: isCopied ? Check : Copy, copy: () => void copy() };
}

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { common } = useMessages();
  const { isCopied, Icon, copy } = useCopying(text);
  return (
    <Button size="small" look="quiet" className="print:hidden" onPress={copy}>
      <Icon aria-hidden className="size-4" />
      {isCopied ? common.copied : (label ?? common.copy)}
    </Button>
  );
}

/** A copy button without text, for lists with many of them. */
export function CopyIcon({ text }: { readonly text: string }) {
  const { common } = useMessages();
  const { isCopied, Icon, copy } = useCopying(text);
  return (
    <IconButton label={isCopied ? common.copied : common.copy} onPress={copy}>
      <Icon aria-hidden className="size-4" />
    </IconButton>
  );
}
