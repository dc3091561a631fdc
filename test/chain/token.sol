// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// A stablecoin for tests: ERC-20 with six decimals and EIP-3009, and a switch by which a transfer reverts.
contract Token {
  string public constant name = "Test Dollar";
  string public constant symbol = "TUSD";
  string public constant version = "2";
  uint8 public constant decimals = 6;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => mapping(bytes32 => bool)) public authorizationState;
  mapping(address => bool) public isBlocked;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

  bytes32 private constant TRANSFER_TYPE = keccak256(
    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
  );

  function mint(address to, uint256 value) external {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function setBlocked(address who, bool value) external {
    isBlocked[who] = value;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    move(msg.sender, to, value);
    return true;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    move(from, to, value);
    return true;
  }

  function DOMAIN_SEPARATOR() public view returns (bytes32) {
    return keccak256(abi.encode(
      keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
      keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this)
    ));
  }

  function transferWithAuthorization(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
    uint8 v, bytes32 r, bytes32 s
  ) external {
    authorized(from, to, value, validAfter, validBefore, nonce, v, r, s);
  }

  function transferWithAuthorization(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
    bytes calldata signature
  ) external {
    require(signature.length == 65, "invalid signature length");
    authorized(
      from, to, value, validAfter, validBefore, nonce,
      uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64])
    );
  }

  function authorized(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
    uint8 v, bytes32 r, bytes32 s
  ) private {
    require(block.timestamp > validAfter, "authorization is not yet valid");
    require(block.timestamp < validBefore, "authorization is expired");
    require(!authorizationState[from][nonce], "authorization is used");
    bytes32 digest = keccak256(abi.encodePacked(
      "\x19\x01", DOMAIN_SEPARATOR(),
      keccak256(abi.encode(TRANSFER_TYPE, from, to, value, validAfter, validBefore, nonce))
    ));
    address signer = ecrecover(digest, v, r, s);
    require(signer != address(0) && signer == from, "invalid signature");
    authorizationState[from][nonce] = true;
    emit AuthorizationUsed(from, nonce);
    move(from, to, value);
  }

  function move(address from, address to, uint256 value) private {
    require(!isBlocked[to], "recipient is blocked");
    require(balanceOf[from] >= value, "balance is too low");
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}
