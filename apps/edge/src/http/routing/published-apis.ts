import type { IncomingMessage, Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';

/** Distinguishes requests to published APIs from all others: by their path, or by a host name below `publishedDomain`. */
@Injectable()
export class PublishedApis {
  private readonly suffix: string | null;

  constructor({ publishedDomain }: Config) {
    this.suffix = publishedDomain === null ? null : `.${publishedDomain.toLowerCase()}`;
  }

  /**
   * Rewrites the path of requests whose host is below the domain: `https://{api_id}.{publishedDomain}/{stage}/…` becomes
   * `/published/{api_id}/{stage}/…`. Must be installed last, so that it runs before all other listeners.
   */
  install(server: Server): void {
    if (this.suffix === null) return;
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, (req: IncomingMessage) => {
        if (this.haveHost(req.headers.host)) req.url = this.pathBelowHost(req.headers.host as string, req.url ?? '');
      });
  }

  /** A host or a target that names no API gets a path that does not exist. */
  private pathBelowHost(host: string, target: string): string {
    const name = nameOf(host).slice(0, -(this.suffix as string).length);
    return target.startsWith('/') && LABEL.test(name) ? `${PREFIX}${name}${target}` : `${PREFIX}-`;
  }

  /** Whether the request is for a published API. The gateway compares this with the route that it finds, and refuses an ambiguous target. */
  have({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
    return this.isPath(pathOf(url)) || this.haveHost(headers.host);
  }

  isPath(path: string): boolean {
    return path.startsWith(PREFIX);
  }

  /** Whether the host is below the domain. Such hosts serve published APIs only. */
  haveHost(host: string | undefined): boolean {
    if (this.suffix === null || host === undefined) return false;
    return nameOf(host).endsWith(this.suffix);
  }
}

const PREFIX = '/published/';
/** One part of a host name. */
const LABEL = /^[a-z0-9-]{1,63}$/;

const nameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** Whether a path is a health probe. `path`: as the router reads it. */
export const isProbe = (path: string): boolean => path.startsWith('/health/');
export const isForSigningIn = (path: string): boolean => path.startsWith('/auth/');

/** The path of a request target as the router reads it. */
export function pathOf(target: string): string {
  const from = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '');
  const [path = ''] = from.split(/[?#]/, 1);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
