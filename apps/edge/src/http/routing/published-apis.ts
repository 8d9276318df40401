import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import type { FastifyRequest } from 'fastify';

/** Tells requests to published APIs from all others: by their path, or by a host name below `publishedDomain`. */
@Injectable()
export class PublishedApis {
  private readonly suffix: string | null;

  constructor({ publishedDomain }: Config) {
    this.suffix = publishedDomain === null ? null : `.${publishedDomain.toLowerCase()}`;
  }

  /** The gateway compares this with the route that it finds, so a target that can be read in two ways is refused. */
  have(request: FastifyRequest): boolean {
    return this.isPath(pathOf(request.url)) || this.haveHost(request.headers.host);
  }

  isPath(path: string): boolean {
    return path.startsWith('/published/');
  }

  /** Hosts below the domain serve published APIs only. */
  haveHost(host: string | undefined): boolean {
    if (this.suffix === null || host === undefined) return false;
    return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '').endsWith(this.suffix);
  }
}

/** `path`: as the router reads it. */
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
