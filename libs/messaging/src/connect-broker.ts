import { type ArgumentsHost, Catch, type INestApplication, type RpcExceptionFilter } from '@nestjs/common';
import type { NestMicroservice } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import { BrokerTransport, type BrokerTransportOptions } from './transport.ts';

/** Nest's own filter tells a transport only that there was an "Internal server error", a poor reason in a dead letter. */
@Catch()
class RejectDelivery implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/** Lets an application's `@EventPattern` handlers listen to a broker, from `app.startAllMicroservices()` until the transport or the app is closed. */
export function connectBroker(app: INestApplication, options: BrokerTransportOptions): BrokerTransport {
  const strategy = new BrokerTransport(options);
  // Filters count only if they are there before the handlers are registered, which `connectMicroservice` would do at once.
  // What follows the filter is what it does then.
  const microservice = app.connectMicroservice({ strategy }, { deferInitialization: true }) as NestMicroservice;
  microservice.useGlobalFilters(new RejectDelivery());
  microservice.registerListeners();
  microservice.setIsInitialized(true);
  microservice.setIsInitHookCalled(true);
  return strategy;
}
