import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMessages } from '../../../messages/index.ts';

const urlOf = (address: string): URL | null => {
  const url = URL.parse(address);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
};

/** Whether the text is an address with a visible host and no user information before it. */
const showsHost = (text: string, host: string): boolean => {
  const url = urlOf(text);
  return url?.host === host && url.username === '' && url.password === '';
};

/** A link in a model's text. It shows the host, opens only when clicked, and sends no referrer. */
export function OutsideLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const { chat } = useMessages();
  const host = urlOf(address)?.host;
  if (host === undefined) return <>{children}</>;
  const isShown = typeof children === 'string' && showsHost(children, host);
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline underline-offset-2">
      {/* Isolated, so that direction characters in the text do not affect the host. */}
      <bdi>{children}</bdi>
      {!isShown && <span className="text-muted"> ({host})</span>}
      <ExternalLink aria-hidden className="ms-0.5 inline size-3.5 align-[-2px]" />
      <span className="sr-only"> {chat.opensInNewTab}</span>
    </a>
  );
}
