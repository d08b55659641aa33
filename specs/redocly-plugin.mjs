// OpenAPI's discriminator is an object, AsyncAPI's is the name of the property: the shared schemas are written the first way.
const asyncapiDiscriminator = () => ({
  Schema: {
    leave(schema) {
      if (typeof schema.discriminator === 'object') schema.discriminator = schema.discriminator.propertyName;
    },
  },
});

export default () => ({ id: 'contract', decorators: { async3: { 'asyncapi-discriminator': asyncapiDiscriminator } } });
