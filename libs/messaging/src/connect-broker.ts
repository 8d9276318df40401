import { type ArgumentsHost, Catch, type INestApplication, type RpcExceptionFilter } from '@nestjs/common';
import type { NestMicroservice } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import { BrokerTransport, type BrokerTransportOptions } from './transport.ts';

/** Passes the error on. Nest's own filter replaces it by "Internal server error", which is useless as the reason of a dead letter. */
@Catch()
class RejectDelivery implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/** Subscribes an application's `@EventPattern` handlers to a broker, from `app.startAllMicroservices()` until the transport or app is closed. */
export function connectBroker(app: INestApplication, options: BrokerTransportOptions): BrokerTransport {
  const strategy = new BrokerTransport(options);
  // The filter must be set before the handlers are registered. `connectMicroservice` would register them at once, so its later steps are
  // repeated here.
  const microservice = app.connectMicroservice({ strategy }, { deferInitialization: true }) as NestMicroservice;
  microservice.useGlobalFilters(new RejectDelivery());
  microservice.registerListeners();
  microservice.setIsInitialized(true);
  microservice.setIsInitHookCalled(true);
  return strategy;
}
