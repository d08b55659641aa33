import 'reflect-metadata';

process.env.ORT_DISABLE_TELEMETRY = '1';
