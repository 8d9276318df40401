import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { answerOnSocket } from '@parlance/http';
import { AddressRanges } from '../addresses/address-ranges.ts';
import { AnswerHeaders } from '../answers/answer-headers.ts';
import { networkOf, plainAddress } from '../addresses/plain-address.ts';

/**
 * Limits the concurrent connections of one address. A further connection is answered with 429 and closed, and nothing is read from it.
 * Trusted proxies have no limit, because their connections carry the requests of all their clients.
 */
@Injectable()
export class ConnectionLimit {
  private readonly open = new Map<string, number>();
  /** 0: no limit. */
  private readonly most: number;
  private readonly trusted: AddressRanges;

  constructor(
    config: Config,
    private readonly headers: AnswerHeaders,
  ) {
    this.most = config.connectionsPerAddress;
    this.trusted = new AddressRanges(config.trustedProxies);
  }

  /** The number of networks with open connections. */
  get size(): number {
    return this.open.size;
  }

  install(server: Server): void {
    if (this.most === 0) return;
    // Replaces the listeners that start reading, including Node's own.
    const readers = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.isTaken(socket)) for (const read of readers) read.call(server, socket);
      else this.refuse(socket);
    });
  }

  private isTaken(socket: Socket): boolean {
    const address = plainAddress(socket.remoteAddress ?? '') ?? '';
    if (this.trusted.include(address)) return true;
    const network = networkOf(address);
    const count = (this.open.get(network) ?? 0) + 1;
    if (count > this.most) return false;
    this.open.set(network, count);
    socket.once('close', () => {
      const left = (this.open.get(network) ?? 1) - 1;
      if (left > 0) this.open.set(network, left);
      else this.open.delete(network);
    });
    return true;
  }

  private refuse(socket: Socket): void {
    socket.on('error', () => undefined);
    const refusal = refuse(
      'limited',
      'too_many_connections',
      'There are too many connections from this address. Close some of them first.',
      {
        retry_after: 5,
      },
    );
    answerOnSocket(socket, refusal, this.headers.of(null));
  }
}
