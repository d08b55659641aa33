"""AdamW over fp32 masters of the flat working parameters."""
import torch

HEAD_RATE = 3.0
WARM_UP_STEPS = 80
LARGEST_NORM = 1.0
FALLING_PART = 0.35


class Masters:
    def __init__(self, flats, rate):
        self.flats, self.rate = flats, rate
        self.values = [torch.nn.Parameter(flat.values.detach().float().clone()) for flat in flats]
        groups = [{"params": [value], "rate": rate * (HEAD_RATE if i else 1)} for i, value in enumerate(self.values)]
        self.adam = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.01, fused=True)
        self.steps = 0

    def step(self, gradients, progress):
        """One update at `progress` (0 to 1) of the budget: the rate is level, and falls to zero in the last part."""
        self.steps += 1
        factor = min(1.0, self.steps / WARM_UP_STEPS) * min(1.0, max(0.0, 1.0 - progress) / FALLING_PART)
        norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
        for gradient in gradients:
            gradient.mul_((LARGEST_NORM / (norm + 1e-6)).clamp(max=1.0))
        for group in self.adam.param_groups:
            group["lr"] = group["rate"] * factor
        for value, gradient in zip(self.values, gradients):
            value.grad = gradient
        self.adam.step()
        self.publish()
        return float(norm)

    def publish(self):
        for flat, value in zip(self.flats, self.values):
            flat.values.copy_(value.data)

    def state(self):
        return {"values": [v.data for v in self.values], "adam": self.adam.state_dict(), "steps": self.steps}

    def restore(self, state):
        for value, stored in zip(self.values, state["values"]):
            value.data.copy_(stored)
        self.adam.load_state_dict(state["adam"])
        for i, group in enumerate(self.adam.param_groups):
            group["rate"] = self.rate * (HEAD_RATE if i else 1)
        self.steps = state["steps"]
        self.publish()
