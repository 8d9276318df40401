import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMessages } from '../../../messages/index.ts';

const urlOf = (address: string): URL | null => {
  const url = URL.parse(address);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
};

/** Whether the text is an address in which the host is plain to see: no name of a user is before it. */
const showsHost = (text: string, host: string): boolean => {
  const url = urlOf(text);
  return url?.host === host && url.username === '' && url.password === '';
};

/** A link in the text of a model. It shows the host, opens nothing by itself, and tells the other site nothing. */
export function OutsideLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const { chat } = useMessages();
  const host = urlOf(address)?.host;
  if (host === undefined) return <>{children}</>;
  const isShown = typeof children === 'string' && showsHost(children, host);
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline underline-offset-2">
      {/* Signs in the text that turn the direction of writing do not reach the host. */}
      <bdi>{children}</bdi>
      {!isShown && <span className="text-muted"> ({host})</span>}
      <ExternalLink aria-hidden className="ms-0.5 inline size-3.5 align-[-2px]" />
      <span className="sr-only"> {chat.opensInNewTab}</span>
    </a>
  );
}
